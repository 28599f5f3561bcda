extension CSVReader {
    /// The number of fields of the current record.
    public var fieldCount: Int { fields.count }

    /// Whether the field is null: empty and without quotes.
    ///
    /// - Parameter index: 0 to ``fieldCount`` - 1; a field that is not there is null.
    /// - Returns: True for null, false for the empty string in quotes.
    public func isNull(field index: Int) -> Bool {
        guard fields.indices.contains(index) else { return true }
        return fields[index].start == fields[index].end && !fields[index].isQuoted
    }

    /// Whether the field was in quotes.
    ///
    /// - Parameter index: 0 to ``fieldCount`` - 1; a field that is not there was not.
    /// - Returns: True when the field was written in quotes.
    public func isQuoted(field index: Int) -> Bool {
        fields.indices.contains(index) && fields[index].isQuoted
    }

    /// Lends the bytes of a field: valid UTF-8, without quotes, with doubled quotes made single.
    ///
    /// - Parameters:
    ///   - index: 0 to ``fieldCount`` - 1; a field that is not there has no bytes.
    ///   - body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withField<Result, Failure: Error>(
        _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(window.bytes.span.extracting(range(ofField: index)))
    }

    /// The text of a field as a string of its own.
    ///
    /// - Parameter index: 0 to ``fieldCount`` - 1; a field that is not there is empty.
    /// - Returns: The text without quotes.
    public func text(ofField index: Int) -> String {
        String(decoding: window.bytes[range(ofField: index)], as: UTF8.self)
    }

    private func range(ofField index: Int) -> Range<Int> {
        guard fields.indices.contains(index) else { return 0..<0 }
        let field = fields[index]
        return window.anchor + field.start..<window.anchor + field.end
    }
}
