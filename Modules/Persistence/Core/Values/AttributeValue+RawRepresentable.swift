extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The raw values' type.
    public static var attributeType: AttributeType { RawValue.attributeType }

    /// The type's own rule: the raw value that its initialiser accepts, as the initialiser spells it.
    public static var domain: AttributeDomain? {
        AttributeDomain(
            name: "\(Self.self)", samples: (Self.self as? any CaseIterable.Type).map { cases(of: $0) } ?? []
        ) { value in
            value.isNull ? .null : try Self(storedValue: value).storedValue()
        }
    }

    /// The first cases of an enumeration, as they are stored.
    private static func cases<Cases: CaseIterable>(of type: Cases.Type) -> [StoredValue] {
        // A case that has no stored form is no sample.
        type.allCases.prefix(64).compactMap { ($0 as? Self).flatMap { try? $0.storedValue() } }
    }

    /// The raw value as a store keeps it.
    public func storedValue() throws -> StoredValue { try rawValue.storedValue() }

    /// Makes the value from a stored raw value.
    ///
    /// - Throws: ``ValueError`` when the type's initialiser does not accept it.
    public init(storedValue: StoredValue) throws {
        guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
            throw ValueError("\(storedValue) is not a \(Self.self)")
        }
        self = value
    }
}

/// A typed identifier over a whole number from 1 to 2^53 - 1, given before an object is inserted and never changed.
///
/// ``RecordID`` is one for any kind of records.
public protocol RecordIdentifier: RawRepresentable, Hashable, AttributeValue, Codable where RawValue == Int64 {
    /// The key path to the number, by which predicates find it; `nil` where each record type names it.
    static var rawValuePath: (any KeyPath<Self, Int64> & Sendable)? { get }
}

extension RecordIdentifier {
    /// Each record type names it.
    public static var rawValuePath: (any KeyPath<Self, Int64> & Sendable)? { nil }

    /// None: the range is checked wherever an identifier enters.
    public static var domain: AttributeDomain? { nil }

    /// Reads a whole number that the type's own initialiser accepts.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.integer(at: index).flatMap(Self.init(rawValue:)) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

/// The identifiers a store accepts: positive, and exact in a JSON number or a double.
public let identifierRange: ClosedRange<Int64> = 1...9_007_199_254_740_991
