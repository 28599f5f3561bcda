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
///
/// An enumeration with raw values needs nothing but the conformance. A raw value that its initializer rejects cannot be
/// written by a save, a batch or an import. If another program wrote such a value, reading the row as a record throws
/// ``PersistenceError`` with code ``PersistenceError/Code/unreadable``.
///
/// A type that is not raw representable implements ``attributeType``, ``storedValue()`` and ``init(storedValue:)``.
/// Both conversions must be inverses of each other, and equal values must have equal stored values: conditions,
/// uniqueness and the detection of changes compare the stored values.
///
/// ## Topics
///
/// ### Storing a value
///
/// - ``attributeType``
/// - ``storedValue()``
/// - ``isOptional``
/// - ``domain``
///
/// ### Reading a value
///
/// - ``init(storedValue:)``
/// - ``read(_:at:)``
public protocol AttributeValue: Sendable {
    /// The attribute type in which values of the Swift type are stored.
    ///
    /// For a decimal, the attribute's declaration has the scale, and not this property.
    ///
    /// It must be the same for all values. A change of the property is a change of the model, and needs a migration.
    static var attributeType: AttributeType { get }

    /// A Boolean value that indicates whether the Swift type can represent null.
    ///
    /// It is `true` only for optionals. An attribute of such a type is optional in the model.
    static var isOptional: Bool { get }

    /// The rule of the Swift type, which converts each accepted spelling of a value to the stored one.
    ///
    /// The property is `nil` if every value of the attribute's type is valid.
    static var domain: AttributeDomain? { get }

    /// Returns the value in its stored form.
    ///
    /// The method is called for each written value, possibly on several threads at the same time.
    ///
    /// - Throws: ``ValueError`` if the value has no stored form (a decimal of more than 18 digits).
    func storedValue() throws -> StoredValue

    /// Creates the value from its stored form.
    ///
    /// The initializer is called for each read value, possibly on several threads at the same time. A store passes the
    /// stored value; a bulk operation may pass another spelling, which ``domain`` converts.
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
///
/// A rule of a Swift type contains code and exists only in the program that declares the type. A model that was read
/// from a file has only the rules of text formats; see ``TextFormat/domain``.
///
/// ## Topics
///
/// ### Creating a rule
///
/// - ``init(name:samples:canonicalize:)``
///
/// ### Properties
///
/// - ``name``
/// - ``canonicalize``
/// - ``samples``
/// - ``format``
public struct AttributeDomain: Sendable {
    /// The rule's name, for example `HexColor`.
    public let name: String

    /// A closure that converts an accepted value to the stored one.
    ///
    /// It throws an error whose description names the fault of the value, without the entity or attribute.
    ///
    /// The closure must be deterministic, and must return its own result unchanged: a value in its stored spelling is
    /// accepted. Several threads may call it at the same time.
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
///
/// Throw it from the initializer of a type that conforms to ``AttributeValue``. The code that reads or validates rows
/// adds the entity, the attribute and the object, and throws a ``PersistenceError`` or reports a ``ValidationFailure``.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule and the value that breaks it.
    public let description: String

    /// Creates an error with a description.
    ///
    /// - Parameter description: The broken rule, without a location and without a final period: `day 31 is not in
    ///   1...30`.
    public init(_ description: String) {
        self.description = description
    }

    static func unexpected(_ value: StoredValue, expected: AttributeType) -> ValueError {
        ValueError("a \(value.kindName) where a \(expected) is expected")
    }
}
