public import StrataPersistence

/// Writes records of a fixed list of columns, value by value in the order of the columns.
///
/// What is common to the formats, so that who writes rows need not know which one it is. A missing value at the end of a
/// record is null, and a value too many is an error.
public protocol RecordWriter: ~Copyable {
    /// Writes null.
    mutating func appendNull()

    /// Writes a truth value.
    ///
    /// - Parameter value: The value.
    mutating func append(_ value: Bool)

    /// Writes a text.
    ///
    /// - Parameter utf8: The text's bytes, valid UTF-8, any characters.
    mutating func append(utf8: Span<UInt8>)

    /// Writes a whole number.
    ///
    /// - Parameter value: The number.
    mutating func append(_ value: Int64)

    /// Writes a value of any kind.
    ///
    /// - Parameter value: The value.
    /// - Throws: When the value has no text, as a number that is not finite.
    mutating func append(_ value: StoredValue) throws(InvalidText)

    /// Ends a record.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` when there were more values than columns, or what writing throws.
    mutating func endRecord() throws(InterchangeError)

    /// Ends the document and writes what has been gathered; nothing may follow.
    ///
    /// - Throws: What writing throws.
    mutating func finish() throws(InterchangeError)
}

extension RecordWriter where Self: ~Copyable {
    /// Writes a text, or null.
    ///
    /// - Parameter text: The text; nil is null, which differs from the empty string.
    public mutating func append(_ text: String?) {
        guard var text else { return appendNull() }
        text.withUTF8 { append(utf8: $0.span) }
    }
}
