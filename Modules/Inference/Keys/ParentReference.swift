/// The reference from the records of a dataset to the records of another dataset that contain them.
///
/// Such a reference comes from the structure of a document, in which an object contains an array of other objects.
/// Therefore it needs no comparison of values.
package struct ParentReference: Sendable {
    /// The column that references the containing record, the owner.
    let column: String
    /// The name of the dataset that contains the owners.
    let owner: String
    /// The column with the position of a record in its owner's array; `nil` if there is none.
    let position: String?

    package init(column: String, owner: String, position: String?) {
        (self.column, self.owner, self.position) = (column, owner, position)
    }
}
