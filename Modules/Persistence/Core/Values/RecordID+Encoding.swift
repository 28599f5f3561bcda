// The compiler-generated `encode(to:)` of a `Codable` record selects these overloads because they are specific to one
// type. They write the number directly to the record's own container. With one encoder for each identifier, writing
// 50,000 records with two identifiers each from a store as JSON took 1.4 times as long. The same for reading has no
// advantage. Only `RecordID` has these overloads, because other identifiers are written by their own `encode(to:)`.

extension KeyedEncodingContainer {
    /// Writes an identifier as an integer.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - key: The key under which it is written.
    /// - Throws: The error of the encoder.
    @inlinable
    public mutating func encode<Record>(_ id: RecordID<Record>, forKey key: Key) throws {
        try encode(id.rawValue, forKey: key)
    }

    /// Writes an identifier as an integer, or nothing if it is `nil`.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - key: The key under which it is written.
    /// - Throws: The error of the encoder.
    @inlinable
    public mutating func encodeIfPresent<Record>(_ id: RecordID<Record>?, forKey key: Key) throws {
        try encodeIfPresent(id?.rawValue, forKey: key)
    }
}
