public import Persistence

/// Writes rows of an entity in a format: `id` first, then the attributes in the model's order, under their names.
///
/// ```swift
/// var writer = try DatasetWriter(entity, CSVWriter(output, columns: entity.datasetColumns))
/// try writer.write(id: 1, values: values)
/// try writer.finish()
/// ```
public struct DatasetWriter<Writer: RecordWriter> {
    private let entity: EntityDescription
    private var writer: Writer

    /// Writes rows of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - writer: The format's writer, made with the entity's columns.
    public init(_ entity: EntityDescription, _ writer: Writer) {
        self.entity = entity
        self.writer = writer
    }

    /// Writes a row by value.
    ///
    /// - Parameter row: Its values are in the order of the entity's columns.
    /// - Throws: ``InterchangeError`` when a value has no text, or what writing throws.
    public mutating func write(_ row: StoredRow) throws {
        writer.append(row.id)
        for index in row.values.indices { try append(row.values[index], index, row.id) }
        try writer.endRecord()
    }

    /// Writes the row a store stands on.
    ///
    /// - Parameter row: The row.
    /// - Throws: ``InterchangeError`` when a value has no text, what writing throws, or `PersistenceError`.
    public mutating func write(_ row: RowReader) throws {
        writer.append(row.rawID)
        for index in entity.columns.indices { try append(try row.value(at: index), index, row.rawID) }
        try writer.endRecord()
    }

    /// Ends the document.
    ///
    /// - Throws: What writing throws.
    public mutating func finish() throws {
        try writer.finish()
    }

    private mutating func append(_ value: StoredValue, _ index: Int, _ id: Int64) throws {
        do {
            try TextValue.append(value, to: &writer)
        } catch {
            throw InterchangeError(
                .invalidValue, message: "\(entity.name) \(id), \(entity.columns[index].name): \(error.reason)")
        }
    }
}

extension EntityDescription {
    /// The columns of a dataset of this entity, in the order in which they are written.
    public var datasetColumns: [String] { ["id"] + columns.map(\.name) }
}
