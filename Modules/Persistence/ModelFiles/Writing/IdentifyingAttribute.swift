/// An attribute that contains the keys in files, and whose values will be the identifiers of rows.
package struct IdentifyingAttribute: Sendable {
    /// The name of the attribute.
    let name: String
    /// A Boolean value that indicates whether the rows have an order in files that differs from the order of their
    /// keys.
    let keepsOrder: Bool

    package init(_ name: String, keepsOrder: Bool) { (self.name, self.keepsOrder) = (name, keepsOrder) }
}
