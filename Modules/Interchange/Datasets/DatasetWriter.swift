public import Persistence

/// Writes rows of an entity in a format: `id` first, then the attributes in the model's order, under their names.
///
/// ```swift
/// let writer = try DatasetWriter(entity, to: output, ExportOptions(format: .csv))
/// try writer.write(row)
/// try writer.finish()
/// ```
///
/// For rows that are made; those of a store are written by ``DatasetExporter``. Not to be used from several threads at once.
public final class DatasetWriter {
    private let writeRow: (StoredRow) throws -> Void
    private let end: () throws -> Void

    /// Writes rows of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - output: Where the bytes go; flushed by ``finish()``.
    ///   - options: How; all columns are written, and what the options say about reading has no effect.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format does not have.
    public init(_ entity: EntityDescription, to output: ByteOutput, _ options: ExportOptions) throws {
        try options.check()
        guard options.columns == nil else {
            throw InterchangeError(.unsupported, message: "a DatasetWriter writes all columns of an entity")
        }
        let columns = entity.datasetColumns
        if options.format.isTable {
            let records = Records(entity, TableEncoding(columns: columns, options), output)
            (writeRow, end) = (records.write, records.finish)
        } else {
            let records = Records(entity, JSONEncoding(columns: columns, options.layout), output)
            (writeRow, end) = (records.write, records.finish)
        }
    }

    /// Writes a row by value.
    ///
    /// - Parameter row: Its values are in the order of the entity's columns.
    /// - Throws: ``InterchangeError`` when a value has no text, or what writing throws.
    public func write(_ row: StoredRow) throws { try writeRow(row) }

    /// Ends the document.
    ///
    /// - Throws: What writing throws.
    public func finish() throws { try end() }
}

/// The records of one format.
private final class Records<Encoding: RecordEncoding> {
    private let entity: EntityDescription
    private var stream: RecordStream<Encoding>

    init(_ entity: EntityDescription, _ encoding: Encoding, _ output: ByteOutput) {
        self.entity = entity
        stream = RecordStream(output, encoding)
    }

    func write(_ row: StoredRow) throws {
        stream.value { encoding, column, buffer in encoding.integer(row.id, column, &buffer) }
        for index in row.values.indices {
            do throws(InvalidText) {
                try stream.value { (encoding, column, buffer: inout ByteBuffer) throws(InvalidText) in
                    try encoding.append(row.values[index], column, &buffer)
                }
            } catch {
                throw InterchangeError(
                    .invalidValue, message: "\(entity.name) \(row.id), \(entity.columns[index].name): \(error.reason)")
            }
        }
        try stream.endRecord()
    }

    func finish() throws { try stream.finish() }
}

extension EntityDescription {
    /// The columns of a dataset of this entity, in the order in which they are written.
    public var datasetColumns: [String] { ["id"] + columns.map(\.name) }
}
