extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The attribute type in which the raw values are stored.
    public static var attributeType: AttributeType { RawValue.attributeType }

    /// The type's own rule: its initializer must accept the raw value.
    ///
    /// The stored value has the spelling of the initialized value.
    public static var domain: AttributeDomain? {
        AttributeDomain(
            name: "\(Self.self)", samples: (Self.self as? any CaseIterable.Type).map { cases(of: $0) } ?? []
        ) { value in
            value.isNull ? .null : try Self(storedValue: value).storedValue()
        }
    }

    /// Returns the first cases of an enumeration in their stored form.
    private static func cases<Cases: CaseIterable>(of type: Cases.Type) -> [StoredValue] {
        // A case without a stored form is not used as a sample.
        type.allCases.prefix(64).compactMap { ($0 as? Self).flatMap { try? $0.storedValue() } }
    }

    /// Returns the raw value in its stored form.
    public func storedValue() throws -> StoredValue { try rawValue.storedValue() }

    /// Creates the value from a stored raw value.
    ///
    /// - Throws: ``ValueError`` if the type's initializer rejects the raw value.
    public init(storedValue: StoredValue) throws {
        guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
            throw ValueError("\(storedValue) is not a \(Self.self)")
        }
        self = value
    }
}

/// A typed identifier over an integer from 1 to 2^53 - 1.
///
/// It is assigned before an object is inserted, and it never changes. ``RecordID`` is an identifier for any kind of
/// records.
///
/// Conform a type of your own if identifiers need methods or another name: a structure with a stored `rawValue`, whose
/// initializer rejects numbers outside of ``identifierRange``.
public protocol RecordIdentifier: RawRepresentable, Hashable, AttributeValue, Codable where RawValue == Int64 {
    /// The key path to the number, for predicates; `nil` if each record type declares it.
    static var rawValuePath: (any KeyPath<Self, Int64> & Sendable)? { get }
}

extension RecordIdentifier {
    /// No key path, because each record type declares it.
    public static var rawValuePath: (any KeyPath<Self, Int64> & Sendable)? { nil }

    /// No rule, because the range is checked at every creation of an identifier.
    public static var domain: AttributeDomain? { nil }

    /// Reads an integer that the type's own initializer accepts.
    @inlinable
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        if let value = row.integer(at: index).flatMap(Self.init(rawValue:)) { return value }
        return try Self(storedValue: row.value(at: index))
    }
}

/// The range of valid identifiers: positive, and exact in a JSON number or a double.
public let identifierRange: ClosedRange<Int64> = 1...9_007_199_254_740_991
