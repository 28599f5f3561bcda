public import StrataPersistence

/// Writes JSON objects: an array with one object a line, objects without an array, or an indented array.
///
/// All objects have the same keys in the same order; null is written as `null`. Strings are escaped only where RFC 8259
/// asks for it. An empty array is `[]`. The document ends with LF.
public struct JSONWriter: RecordWriter, ~Copyable {
    private var stream: RecordStream<JSONEncoding>

    /// Prepares the keys.
    ///
    /// - Parameters:
    ///   - output: Where the bytes go; flushed by ``finish()``.
    ///   - columns: The keys of each object.
    ///   - layout: What is around the objects.
    public init(_ output: ByteOutput, columns: [String], layout: JSONLayout = .array) {
        stream = RecordStream(output, JSONEncoding(columns: columns, layout))
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
