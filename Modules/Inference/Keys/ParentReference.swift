/// The link of a dataset whose records are parts of another dataset's records.
package struct ParentReference: Sendable {
    /// The column that references the owner.
    let column: String
    /// The dataset of the owners.
    let owner: String
    /// The column of the position in the owner's array, which is unique for each owner.
    let position: String?

    package init(column: String, owner: String, position: String?) {
        (self.column, self.owner, self.position) = (column, owner, position)
    }
}
