/// A Swift type whose values an attribute can hold.
///
/// The standard types conform: `String`, `Int`, `Int16`, `Int32`, `Int64`, `Double`, `Bool`, `Date`, ``Day``, ``TimeOfDay``, `Decimal`, `UUID`,
/// `Data`, and an optional of any of them. A type of one's own conforms by being raw representable and saying which rule its text obeys:
///
/// ```swift
/// struct SKU: RawRepresentable, AttributeValue {
///     let rawValue: String
///
///     init?(rawValue: String) {
///         guard rawValue.count == 8 else { return nil }
///         self.rawValue = rawValue
///     }
/// }
/// ```
public protocol AttributeValue: Sendable {
    /// The attribute type these values are kept as. A decimal's scale comes from the attribute's declaration, not from here.
    static var attributeType: AttributeType { get }

    /// Whether null is one of the values.
    static var isOptional: Bool { get }

    /// What turns another spelling of a value into the stored one; `nil` when every value of the attribute's type is one.
    static var domain: AttributeDomain? { get }

    /// The value as a store keeps it.
    ///
    /// - Throws: ``ValueError`` when the value has no stored form (a decimal of more than 18 digits).
    func storedValue() throws -> StoredValue

    /// Makes the value from what a store kept.
    ///
    /// - Throws: ``ValueError`` when the stored value is of another type, null, or breaks the type's own rule.
    init(storedValue: StoredValue) throws

    /// Makes the value from a column of a row.
    ///
    /// For speed only, with the result of ``init(storedValue:)``, which is used where a type does not implement it. Not an initialiser,
    /// because that would take the row over and count a reference for each column.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The column's place in the entity.
    /// - Returns: The value.
    /// - Throws: As ``init(storedValue:)``, and ``PersistenceError`` when the row cannot be read.
    static func read(_ row: RowReader, at index: Int) throws -> Self
}

extension AttributeValue {
    /// No: only optionals hold null.
    public static var isOptional: Bool { false }

    /// None: every value of the attribute's type is one.
    public static var domain: AttributeDomain? { nil }

    /// Reads the value as it is stored.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        try Self(storedValue: row.value(at: index))
    }
}

/// The rule of a type of one's own, by name: what turns an accepted spelling into the stored one.
///
/// The bulk paths use it on values that never become a record; the name stands in the model's JSON, so that a store knows under
/// which rule its values were written.
public struct AttributeDomain: Sendable {
    /// The rule's name, for example `HexColor`.
    public let name: String

    /// Turns an accepted value into the stored one.
    ///
    /// Throws an error whose description says what is wrong with the value, without naming entity or attribute.
    public let canonicalize: @Sendable (StoredValue) throws -> StoredValue

    /// Some of the stored values, as of an enumeration's cases, with which a record type's declaration is tried; empty where none are known.
    public let samples: [StoredValue]

    /// The form of texts that the rule is; `nil` for the rule of a Swift type.
    public let format: TextFormat?

    /// Names a rule.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - samples: Some of the stored values, where they are known.
    ///   - canonicalize: Turns an accepted value into the stored one, or throws.
    public init(
        name: String, samples: [StoredValue] = [],
        canonicalize: @escaping @Sendable (StoredValue) throws -> StoredValue
    ) {
        self.name = name
        self.samples = samples
        self.canonicalize = canonicalize
        format = nil
    }

    init(_ format: TextFormat, samples: [String], canonicalize: @escaping @Sendable (StoredValue) throws -> StoredValue)
    {
        name = format.rawValue
        self.format = format
        self.canonicalize = canonicalize
        self.samples = samples.map(StoredValue.string)
    }
}

/// Why a value cannot be stored or read: the rule it breaks, without a place.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule and what breaks it.
    public let description: String

    /// An error that says so.
    public init(_ description: String) {
        self.description = description
    }

    static func unexpected(_ value: StoredValue, expected: AttributeType) -> ValueError {
        ValueError("a \(value.kindName) where a \(expected) is expected")
    }
}
