import StrataCore

extension CSVReader {
    /// The number of fields of the current record.
    ///
    /// It may differ from the count of ``header``; see ``checkFieldCount()``. After the last record it is 0.
    public var fieldCount: Int { fields.count }

    /// Returns a Boolean value that indicates whether a field of the current record is null.
    ///
    /// A field is null if it is unquoted, and empty or one of the dialect's null tokens.
    ///
    /// A field that the record lacks is null, so that a program can read short rows of a lenient dialect like other
    /// rows.
    ///
    /// - Parameter index: The index of the field, 0 to ``fieldCount`` - 1; a missing field is null.
    /// - Returns: `true` if the field is null. A quoted empty text is not null, unless the null tokens contain the
    ///   empty text.
    /// - Complexity: O(*n*) in the null tokens.
    public func isNull(field index: Int) -> Bool {
        guard fields.indices.contains(index) else { return true }
        let field = fields[index]
        // In a sheet, every text is quoted, and can be a null token.
        guard !field.isQuoted || (sheet != nil && field.start != field.end) else {
            return emptyIsNull && field.start == field.end
        }
        if field.start == field.end { return true }
        guard dialect.isTrimmed || !nullTokens.isEmpty else { return false }
        return withField(index) { text in
            guard text.count > 0 else { return true }
            return nullTokens.contains { token in
                guard token.count == text.count else { return false }
                for position in token.indices where token[position] != text[position] { return false }
                return true
            }
        }
    }

    /// Returns a Boolean value that indicates whether a field of the current record has no bytes, in quotes or not.
    package func isEmpty(field index: Int) -> Bool { fields[index].start == fields[index].end }

    /// Returns a Boolean value that indicates whether the text of a field can only be written in quotes.
    package func needsQuotes(field index: Int) -> Bool {
        withField(index) { text in
            text.indices.contains { index in
                let byte = text[index]
                return byte == separator || byte == quote || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            }
        }
    }

    /// Returns a Boolean value that indicates whether a field of the current record was written in quotes.
    ///
    /// Quotes distinguish the empty string from null, and a text from a null token. They have no other meaning: `"12"`
    /// is the same number as `12`.
    ///
    /// - Parameter index: The index of the field, 0 to ``fieldCount`` - 1; a missing field is not quoted.
    /// - Returns: `true` if the field was written in quotes.
    public func isQuoted(field index: Int) -> Bool {
        fields.indices.contains(index) && fields[index].isQuoted
    }

    /// Calls a closure with the bytes of a field: valid UTF-8, without quotes around the field, and with doubled quotes
    /// made single.
    ///
    /// Use this method for conversions that need no string. The closure must not retain the span; the compiler enforces
    /// this. If ``CSVDialect/isTrimmed`` is set, the bytes of an unquoted field have no spaces or tabs at their ends.
    ///
    /// - Parameters:
    ///   - index: The index of the field, 0 to ``fieldCount`` - 1; a missing field has no bytes.
    ///   - body: A closure that receives the bytes, which are valid until it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    /// - Complexity: O(1), except for trimming; no memory is allocated.
    public func withField<Result, Failure: Error>(
        _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard fields.indices.contains(index) else { return try body(window.bytes.span.extracting(0..<0)) }
        let field = fields[index]
        if field.isInScratch { return try body(scratch.span.extracting(field.start..<field.end)) }
        var (start, end) = (window.anchor + field.start, window.anchor + field.end)
        if dialect.isTrimmed, !field.isQuoted {
            while start < end, Self.isBlank(window.bytes[start]) { start += 1 }
            while start < end, Self.isBlank(window.bytes[end - 1]) { end -= 1 }
        }
        return try body(window.bytes.span.extracting(start..<end))
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns the text of a field of the current record as a string.
    ///
    /// The string is a copy that stays valid after the next call of ``next()``. A null field has the text of its token,
    /// or the empty text; use ``isNull(field:)`` to distinguish them.
    ///
    /// - Parameter index: The index of the field, 0 to ``fieldCount`` - 1; the text of a missing field is empty.
    /// - Returns: The text of the field without quotes.
    /// - Complexity: O(*n*) in the bytes of the field.
    public func text(ofField index: Int) -> String {
        withField(index) { String(decoding: $0) }
    }
}
