package import StrataCore

/// A writer of values in named columns as a dataset: the results of a query, which are no rows of an entity.
///
/// Values are written in the same forms as by ``DatasetExporter``.
package struct ValueWriter {
    private let output: ByteOutput
    private let encode: (inout ByteBuffer, [StoredValue]) throws -> Void
    private let firstRecordSkip: Int
    private let tail: (_ isEmpty: Bool) -> [UInt8]
    /// The number of records that were written.
    package private(set) var count = 0

    /// Creates a writer, and writes what precedes the first record.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns.
    ///   - options: The format and its options; the columns of the options are ignored.
    ///   - output: The output.
    /// - Throws: ``InterchangeError`` if the output cannot be written.
    package init(columns: [String], _ options: ExportOptions, to output: ByteOutput) throws {
        if options.format.isTable {
            try self.init(TableEncoding(columns: columns, options), columns, to: output)
        } else {
            try self.init(JSONEncoding(columns: columns, options.layout), columns, to: output)
        }
    }

    private init<Encoding: RecordEncoding>(
        _ encoding: Encoding, _ columns: [String], to output: ByteOutput
    ) throws {
        self.output = output
        firstRecordSkip = encoding.firstRecordSkip
        tail = encoding.tail
        encode = { buffer, values in
            encoding.begin(&buffer)
            for (place, value) in values.enumerated() {
                do throws(InvalidText) { try encoding.append(value, column: place, into: &buffer) } catch {
                    throw InterchangeError(.invalidValue, message: "\(columns[place]): \(error.reason)")
                }
            }
            encoding.end(&buffer)
        }
        try output.append(encoding.head)
    }

    /// Writes a record.
    ///
    /// - Parameter values: One value for each column.
    /// - Throws: ``InterchangeError`` if a value has no text, or if the output cannot be written.
    package mutating func write(_ values: [StoredValue]) throws {
        var buffer = ByteBuffer()
        try encode(&buffer, values)
        try output.append(Array(buffer.bytes.dropFirst(count == 0 ? firstRecordSkip : 0)))
        count += 1
    }

    /// Writes what follows the last record, and flushes the output.
    ///
    /// - Throws: ``InterchangeError`` if the output cannot be written.
    package func finish() throws {
        try output.append(tail(count == 0))
        try output.flush()
    }
}
