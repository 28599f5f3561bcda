/// The members of managed objects that hide properties of records with the same names from dynamic member lookup.
package enum ObjectMembers {
    /// The names of the members.
    package static let names: Set<String> = [
        "rawID", "version", "state", "entityName", "hasChanges", "changedValues", "committedValues", "record",
        "committedRecord", "update",
    ]
}
