/// A Swift type whose values an attribute can store.
///
/// The standard types conform: `String`, `Int`, `Int16`, `Int32`, `Int64`, `Double`, `Bool`, `Date`, ``Day``,
/// ``TimeOfDay``, `Decimal`, `UUID`, `Data`, and an optional of any of them. A custom type conforms if it is raw
/// representable; its initializer is the rule for its values:
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
    /// The attribute type in which values of the Swift type are stored.
    ///
    /// For a decimal, the attribute's declaration has the scale, and not this property.
    static var attributeType: AttributeType { get }

    /// A Boolean value that indicates whether the Swift type can represent null.
    static var isOptional: Bool { get }

    /// The rule of the Swift type, which converts each accepted spelling of a value to the stored one.
    ///
    /// The property is `nil` if every value of the attribute's type is valid.
    static var domain: AttributeDomain? { get }

    /// Returns the value in its stored form.
    ///
    /// - Throws: ``ValueError`` if the value has no stored form (a decimal of more than 18 digits).
    func storedValue() throws -> StoredValue

    /// Creates the value from its stored form.
    ///
    /// - Throws: ``ValueError`` if the stored value is of another type, null, or breaks the type's own rule.
    init(storedValue: StoredValue) throws

    /// Reads the value from a column of a row.
    ///
    /// The method exists only for speed, and its result is that of ``init(storedValue:)``, which the default
    /// implementation uses. It is not an initializer because an initializer would take ownership of the row and count a
    /// reference for each column.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The index of the column in the entity.
    /// - Returns: The value.
    /// - Throws: The errors of ``init(storedValue:)``, and ``PersistenceError`` if the row cannot be read.
    static func read(_ row: RowReader, at index: Int) throws -> Self
}

extension AttributeValue {
    /// `false`, because only optionals accept null.
    public static var isOptional: Bool { false }

    /// No rule, because every value of the attribute's type is valid.
    public static var domain: AttributeDomain? { nil }

    /// Reads the value in its stored form.
    public static func read(_ row: RowReader, at index: Int) throws -> Self {
        try Self(storedValue: row.value(at: index))
    }
}

/// The named rule of a text format or custom Swift type, which converts an accepted value to the stored one.
///
/// Bulk operations apply the rule to values that never become a record. The name is in the model's JSON, so that a
/// store records the rule under which its values were written.
public struct AttributeDomain: Sendable {
    /// The rule's name, for example `HexColor`.
    public let name: String

    /// A closure that converts an accepted value to the stored one.
    ///
    /// It throws an error whose description names the fault of the value, without the entity or attribute.
    public let canonicalize: @Sendable (StoredValue) throws -> StoredValue

    /// Some stored values, such as an enumeration's cases, for tests of a record type's declaration; empty if unknown.
    public let samples: [StoredValue]

    /// The text format of the rule; `nil` for the rule of a Swift type.
    public let format: TextFormat?

    /// Creates a named rule.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - samples: Some of the stored values, if they are known.
    ///   - canonicalize: Converts an accepted value to the stored one, or throws.
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

/// An error that reports why a value cannot be stored or read: the broken rule, without a location.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule and the value that breaks it.
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }

    static func unexpected(_ value: StoredValue, expected: AttributeType) -> ValueError {
        ValueError("a \(value.kindName) where a \(expected) is expected")
    }
}
