public import StrataCore

extension EntityDescription {
    /// The columns of a dataset of this entity, as files call them, in the order in which they are written.
    public var datasetColumns: [String] { (external.idColumn.map { [$0] } ?? []) + columns.map(\.externalName) }
}
