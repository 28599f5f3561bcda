import StrataCore

/// The columns of an entity to write, and their encoding.
struct ExportPlan<Encoding: RecordEncoding> {
    let entity: EntityDescription
    let columns: [ResolvedColumn]
    let encoder: RowEncoder<Encoding>

    init(_ entity: EntityDescription, columns: [ResolvedColumn], encoding: Encoding) {
        self.entity = entity
        self.columns = columns
        encoder = RowEncoder(entity, columns: columns, encoding: encoding)
    }

    /// A Boolean value that indicates whether values of other rows are written.
    var hasPaths: Bool { columns.contains { $0.isRelated } }
}
