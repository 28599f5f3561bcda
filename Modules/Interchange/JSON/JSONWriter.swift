/// Writes a JSON array of objects, one object a line.
///
/// All objects have the same keys in the same order; null is written as `null`. Strings are escaped only where RFC 8259
/// asks for it. An empty array is `[]`. The document ends with LF.
public struct JSONWriter: RecordWriter {
    private let output: ByteOutput
    private let layout: JSONLayout
    /// The keys with quotes, escapes and colon, behind a brace or a comma.
    private let keys: [[UInt8]]
    /// The record that is being written.
    private var record: [UInt8] = []
    private var valueCount = 0
    private var recordCount = 0

    /// Remembers the keys; writes nothing yet.
    ///
    /// - Parameters:
    ///   - output: Where the bytes go; flushed by ``finish()``.
    ///   - columns: The keys of each object.
    ///   - layout: What is around the objects.
    public init(_ output: ByteOutput, columns: [String], layout: JSONLayout = .array) {
        self.output = output
        self.layout = layout
        keys = columns.enumerated().map { index, column in
            var bytes = [UInt8(ascii: index == 0 ? "{" : ",")]
            var column = column
            column.withUTF8 { Self.append(string: $0.span, to: &bytes) }
            bytes.append(UInt8(ascii: ":"))
            return bytes
        }
    }

    /// Writes `null`.
    public mutating func appendNull() {
        beginValue()
        record.append(contentsOf: "null".utf8)
    }

    /// Writes `true` or `false`.
    ///
    /// - Parameter value: The value.
    public mutating func append(_ value: Bool) {
        beginValue()
        BooleanText.append(value, to: &record)
    }

    /// Writes a string with the escapes that it needs.
    ///
    /// - Parameter utf8: The text's bytes.
    public mutating func append(utf8: Span<UInt8>) {
        beginValue()
        Self.append(string: utf8, to: &record)
    }

    /// Writes a number as its text is.
    ///
    /// - Parameter body: Adds the number's text to the end of the record.
    /// - Throws: What the body throws.
    public mutating func appendNumber<Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        try body(&record)
    }

    /// Writes a string that needs no escapes.
    ///
    /// - Parameter body: Adds the text to the end of the record.
    /// - Throws: What the body throws.
    public mutating func appendToken<Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        beginValue()
        record.append(UInt8(ascii: "\""))
        try body(&record)
        record.append(UInt8(ascii: "\""))
    }

    /// Ends the object.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` when there were more values than columns, or what writing throws.
    public mutating func endRecord() throws(InterchangeError) {
        guard valueCount <= keys.count else {
            throw InterchangeError(
                .invalidValue, source: output.name,
                message: "\(valueCount.counted("value")) for \(keys.count.counted("column"))"
            )
        }
        while valueCount < keys.count { appendNull() }
        record.append(contentsOf: (keys.isEmpty ? "{}" : "}").utf8)
        switch layout {
        case .array: try output.append(Array((recordCount == 0 ? "[\n" : ",\n").utf8))
        case .lines: record.append(UInt8(ascii: "\n"))
        }
        try output.append(record)
        record.removeAll(keepingCapacity: true)
        valueCount = 0
        recordCount += 1
    }

    /// Ends the array and writes what has been gathered.
    ///
    /// - Throws: What writing throws.
    public mutating func finish() throws(InterchangeError) {
        if layout == .array { try output.append(Array((recordCount == 0 ? "[]\n" : "\n]\n").utf8)) }
        try output.flush()
    }

    private mutating func beginValue() {
        if valueCount < keys.count { record.append(contentsOf: keys[valueCount]) }
        valueCount += 1
    }

    private static func append(string: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for index in string.indices {
            let byte = string[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0..<0x20:
                bytes.append(contentsOf: (byte < 0x10 ? #"\u000"# : #"\u001"#).utf8)
                bytes.append(contentsOf: String(byte & 0x0F, radix: 16, uppercase: true).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
