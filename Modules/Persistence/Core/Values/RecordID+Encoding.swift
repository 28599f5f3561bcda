// What the compiler writes for a `Codable` record takes these, as they are about one type. The number goes straight into
// the record's own container: with a coder for each identifier, writing 50,000 records that have two of them from a store
// as JSON took 1.4 times as long. Reading gains nothing by the same. Only `RecordID` has them: how another identifier is
// written is up to its own `encode(to:)`.

extension KeyedEncodingContainer {
    /// Writes an identifier as a whole number.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - key: Where it is written.
    /// - Throws: What the encoder throws.
    @inlinable
    public mutating func encode<Record>(_ id: RecordID<Record>, forKey key: Key) throws {
        try encode(id.rawValue, forKey: key)
    }

    /// Writes an identifier as a whole number, and nothing where there is none.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - key: Where it is written.
    /// - Throws: What the encoder throws.
    @inlinable
    public mutating func encodeIfPresent<Record>(_ id: RecordID<Record>?, forKey key: Key) throws {
        try encodeIfPresent(id?.rawValue, forKey: key)
    }
}
