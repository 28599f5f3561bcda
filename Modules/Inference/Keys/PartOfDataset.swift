/// What the records of a dataset are parts of.
package struct PartOfDataset: Sendable {
    /// The column that refers to the owner.
    let column: String
    /// The dataset of the owners.
    let owner: String

    package init(column: String, owner: String) {
        (self.column, self.owner) = (column, owner)
    }
}
