extension RecordID {
    /// Reads a single whole number.
    ///
    /// - Throws: `DecodingError.dataCorrupted` where it is no identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Int64.self)
        guard let id = Self(rawValue: number) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.refusal(of: number))
        }
        self = id
    }

    /// Writes a single whole number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    @usableFromInline
    static func refusal(of number: Int64) -> String {
        "\(number) is not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))"
    }
}

// What the compiler writes for a `Codable` record takes these, as they are about one type. The number goes straight into
// the record's own container: with a coder for each identifier `JSONEncoder` takes a third more time for a record that
// has two of them.

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

extension KeyedDecodingContainer {
    /// Reads an identifier from a whole number.
    ///
    /// - Parameters:
    ///   - type: The identifier's type.
    ///   - key: Where it stands.
    /// - Returns: The identifier.
    /// - Throws: `DecodingError.dataCorrupted` where the number is no identifier, and what the decoder throws.
    @inlinable
    public func decode<Record>(_ type: RecordID<Record>.Type, forKey key: Key) throws -> RecordID<Record> {
        try identifier(try decode(Int64.self, forKey: key), forKey: key)
    }

    /// Reads an identifier from a whole number, where there is one.
    ///
    /// - Parameters:
    ///   - type: The identifier's type.
    ///   - key: Where it stands.
    /// - Returns: The identifier; `nil` where the key is missing or its value is null.
    /// - Throws: `DecodingError.dataCorrupted` where the number is no identifier, and what the decoder throws.
    @inlinable
    public func decodeIfPresent<Record>(_ type: RecordID<Record>.Type, forKey key: Key) throws -> RecordID<Record>? {
        try decodeIfPresent(Int64.self, forKey: key).map { try identifier($0, forKey: key) }
    }

    @inlinable
    func identifier<Record>(_ number: Int64, forKey key: Key) throws -> RecordID<Record> {
        guard let id = RecordID<Record>(rawValue: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: RecordID<Record>.refusal(of: number))
        }
        return id
    }
}
