/// Writes CSV: RFC 4180 with LF as line break, quotes only where they are needed.
///
/// Null is nothing at all, the empty string is `""`. A field is put in quotes when it holds the separator, a quote or a
/// line break, or begins or ends with a space. A record of one column that is null is an empty line, which ``CSVReader``
/// reads back as null because there is one column.
public struct CSVWriter: RecordWriter {
    private let output: ByteOutput
    private let columnCount: Int
    private let separator: UInt8
    /// Whether the separator may occur in numbers and tokens.
    private let isSeparatorUnusual: Bool
    /// The record that is being written.
    private var record: [UInt8] = []
    private var fieldCount = 0

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - output: Where the bytes go; flushed by ``finish()``.
    ///   - columns: The columns' names, at least one.
    ///   - separator: What is put between two fields.
    /// - Throws: What writing throws.
    public init(
        _ output: ByteOutput, columns: [String], separator: CSVSeparator = .comma
    ) throws(InterchangeError) {
        self.output = output
        self.separator = separator.byte
        columnCount = columns.count
        let usual: [CSVSeparator] = [.comma, .semicolon, .tab, .bar]
        isSeparatorUnusual = !usual.contains(separator)
        for column in columns { append(column) }
        try endRecord()
    }

    /// Writes null: nothing.
    public mutating func appendNull() {
        beginField()
    }

    /// Writes `true` or `false`.
    ///
    /// - Parameter value: The value.
    public mutating func append(_ value: Bool) {
        appendToken { bytes in BooleanText.append(value, to: &bytes) }
    }

    /// Writes a text, in quotes where it needs them.
    ///
    /// - Parameter utf8: The text's bytes.
    public mutating func append(utf8: Span<UInt8>) {
        beginField()
        guard needsQuotes(utf8) else {
            utf8.withUnsafeBufferPointer { record.append(contentsOf: $0) }
            return
        }
        record.append(UInt8(ascii: "\""))
        for index in utf8.indices {
            if utf8[index] == UInt8(ascii: "\"") { record.append(UInt8(ascii: "\"")) }
            record.append(utf8[index])
        }
        record.append(UInt8(ascii: "\""))
    }

    /// Writes a number.
    ///
    /// - Parameter body: Adds the number's text to the end of the record.
    /// - Throws: What the body throws.
    public mutating func appendNumber<Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try appendToken(body)
    }

    /// Writes a text that needs no quotes.
    ///
    /// - Parameter body: Adds the text to the end of the record.
    /// - Throws: What the body throws.
    public mutating func appendToken<Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if isSeparatorUnusual {
            var token: [UInt8] = []
            try body(&token)
            append(utf8: token.span)
        } else {
            beginField()
            let start = record.count
            try body(&record)
            // No text is the empty string, not null.
            if record.count == start { record.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "\"")]) }
        }
    }

    /// Ends the record with LF.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` when there were more values than columns, or what writing throws.
    public mutating func endRecord() throws(InterchangeError) {
        guard fieldCount <= columnCount else {
            throw InterchangeError(
                .invalidValue, source: output.name,
                message: "\(fieldCount.counted("value")) for \(columnCount.counted("column"))")
        }
        while fieldCount < columnCount { appendNull() }
        record.append(UInt8(ascii: "\n"))
        try output.append(record)
        record.removeAll(keepingCapacity: true)
        fieldCount = 0
    }

    /// Writes what has been gathered.
    ///
    /// - Throws: What writing throws.
    public mutating func finish() throws(InterchangeError) {
        try output.flush()
    }

    private mutating func beginField() {
        if fieldCount > 0 { record.append(separator) }
        fieldCount += 1
    }

    private func needsQuotes(_ utf8: Span<UInt8>) -> Bool {
        let space = UInt8(ascii: " ")
        guard utf8.count > 0, utf8[0] != space, utf8[utf8.count - 1] != space else { return true }
        for index in utf8.indices {
            switch utf8[index] {
            case separator, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
            default: break
            }
        }
        return false
    }
}
