import StrataCore

/// What is written of an entity, and how.
struct ExportPlan<Encoding: RecordEncoding> {
    let entity: EntityDescription
    let columns: [ResolvedColumn]
    let encoder: RowEncoder<Encoding>

    init(_ entity: EntityDescription, columns: [ResolvedColumn], encoding: Encoding) {
        self.entity = entity
        self.columns = columns
        encoder = RowEncoder(entity, columns: columns, encoding: encoding)
    }

    /// Whether values of other rows are written.
    var hasPaths: Bool { columns.contains { $0.isRelated } }
}
