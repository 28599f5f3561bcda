public import StrataPersistence

/// Writes CSV: RFC 4180 with LF as line break unless said otherwise, quotes only where they are needed.
///
/// Null is nothing at all, the empty string is `""`. A field is put in quotes when it holds the separator, a quote or a
/// line break, or begins or ends with a space. A record of one column that is null is an empty line, which ``CSVReader``
/// reads back as null because there is one column.
public struct CSVWriter: RecordWriter, ~Copyable {
    private var stream: RecordStream<TableEncoding>

    /// Prepares the header, which is written with the first records.
    ///
    /// - Parameters:
    ///   - output: Where the bytes go; flushed by ``finish()``.
    ///   - columns: The columns' names, at least one.
    ///   - separator: What is put between two fields.
    public init(
        _ output: ByteOutput, columns: [String], separator: CSVSeparator = .comma
    ) {
        var options = ExportOptions(format: .csv)
        options.separator = separator
        stream = RecordStream(output, TableEncoding(columns: columns, options))
    }

    /// Writes null.
    public mutating func appendNull() {
        stream.value { encoding, column, buffer in encoding.null(column, &buffer) }
    }

    /// Writes `true` or `false`.
    ///
    /// - Parameter value: The value.
    public mutating func append(_ value: Bool) {
        stream.value { encoding, column, buffer in encoding.boolean(value, column: column, into: &buffer) }
    }

    /// Writes a text with the quotes or escapes that it needs.
    ///
    /// - Parameter utf8: The text's bytes, valid UTF-8.
    public mutating func append(utf8: Span<UInt8>) {
        utf8.withUnsafeBufferPointer { bytes in
            stream.value { encoding, column, buffer in
                if !encoding.text(bytes, column: column, into: &buffer) {
                    encoding.string(String(decoding: bytes, as: UTF8.self), column: column, into: &buffer)
                }
            }
        }
    }

    /// Writes a whole number.
    ///
    /// - Parameter value: The number.
    public mutating func append(_ value: Int64) {
        stream.value { encoding, column, buffer in encoding.integer(value, column: column, into: &buffer) }
    }

    /// Writes a value of any kind.
    ///
    /// - Parameter value: The value.
    /// - Throws: When the value has no text, as a number that is not finite.
    public mutating func append(_ value: StoredValue) throws(InvalidText) {
        try stream.value { (encoding, column, buffer: inout ByteBuffer) throws(InvalidText) in
            try encoding.append(value, column: column, into: &buffer)
        }
    }

    /// Ends the record.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` when there were more values than columns, or what writing throws.
    public mutating func endRecord() throws(InterchangeError) {
        try stream.endRecord()
    }

    /// Ends the document and writes what has been gathered.
    ///
    /// - Throws: What writing throws.
    public mutating func finish() throws(InterchangeError) {
        try stream.finish()
    }
}
