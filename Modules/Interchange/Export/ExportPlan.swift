import StrataCore

/// The columns of an entity that are exported, and the encoding of their values.
struct ExportPlan<Encoding: RecordEncoding> {
    let entity: EntityDescription
    let columns: [ResolvedColumn]
    let encoder: RowEncoder<Encoding>

    init(_ entity: EntityDescription, columns: [ResolvedColumn], encoding: Encoding) {
        self.entity = entity
        self.columns = columns
        encoder = RowEncoder(entity, columns: columns, encoding: encoding)
    }

    /// A Boolean value that indicates whether a column contains values of related rows.
    var hasPaths: Bool { columns.contains { $0.isRelated } }
}
