/// What the records of a dataset are parts of.
package struct PartOfDataset: Sendable {
    /// The column that refers to the owner.
    let column: String
    /// The dataset of the owners.
    let owner: String
    /// The column of the place among the owner's parts, which tells them apart.
    let position: String?

    package init(column: String, owner: String, position: String?) {
        (self.column, self.owner, self.position) = (column, owner, position)
    }
}
