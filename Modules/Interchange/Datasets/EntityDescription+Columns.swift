public import StrataCore

extension EntityDescription {
    /// The columns of a dataset of this entity, in the order in which they are written.
    public var datasetColumns: [String] { ["id"] + columns.map(\.name) }
}
