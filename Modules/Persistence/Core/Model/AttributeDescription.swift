/// One attribute of an entity: its name, its type, and the rules for its values.
public struct AttributeDescription: Sendable {
    /// The name, unique within the entity; case is ignored.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// A Boolean value that indicates whether null is allowed.
    public var isOptional: Bool
    /// The value of a row that is inserted without a value; an explicit null is not replaced.
    public var defaultValue: DefaultValue?
    /// The rules that every value except null must satisfy.
    public var rules: [AttributeRule]
    /// A Boolean value that indicates whether values must be unique; nulls are exempt.
    public var isUnique: Bool
    /// A Boolean value that indicates whether the store maintains an index over the values.
    public var isIndexed: Bool
    /// A Boolean value that indicates whether the value cannot change after the object was inserted.
    public var isImmutable: Bool
    /// The rule of the attribute's own Swift type, if it has one.
    public var domain: AttributeDomain?
    /// The column name in datasets, which may be any text; `nil` if it is ``name``.
    public var externalName: String? {
        get { words?.externalName }
        set { change { $0.externalName = newValue } }
    }
    /// The spelling of the values in datasets.
    public var spelling: ExternalSpelling {
        get { words?.spelling ?? ExternalSpelling() }
        set { change { $0.spelling = newValue } }
    }
    /// A short description of the values, for people.
    public var title: String? {
        get { words?.title }
        set { change { $0.title = newValue } }
    }
    /// A longer description of the values, for people.
    public var explanation: String? {
        get { words?.explanation }
        set { change { $0.explanation = newValue } }
    }
    /// The attribute's names in earlier versions of the model.
    public var renamedFrom: [String] {
        get { words?.renamedFrom ?? [] }
        set { change { $0.renamedFrom = newValue } }
    }
    /// Values of earlier versions of the model, with their replacements.
    ///
    /// When a store is opened with an entry for the first time, the rows that contain the earlier value receive the new
    /// one.
    public var renamedValues: [RenamedValue] {
        get { words?.renamedValues ?? [] }
        set { change { $0.renamedValues = newValue } }
    }
    /// A Boolean value that indicates whether a record type computes the values from other attributes.
    ///
    /// It is `false` for every attribute of a model that was read from a file.
    public package(set) var isComputed: Bool {
        get { words?.isComputed ?? false }
        set { change { $0.isComputed = newValue } }
    }

    /// The settings that only files and documentation use; `nil` if all have their defaults.
    ///
    /// The settings are stored by reference, because descriptions are copied much more often than the settings are
    /// read.
    private var storedWords: AttributeWords?
    private var words: AttributeWords.Values? { storedWords?.values }

    private mutating func change(_ body: (inout AttributeWords.Values) -> Void) {
        var values = words ?? AttributeWords.Values()
        body(&values)
        storedWords = values == AttributeWords.Values() ? nil : AttributeWords(values)
    }

    /// Creates the description of an attribute.
    public init(
        _ name: String,
        _ type: AttributeType,
        isOptional: Bool = false,
        defaultValue: DefaultValue? = nil,
        rules: [AttributeRule] = [],
        isUnique: Bool = false,
        isIndexed: Bool = false,
        isImmutable: Bool = false,
        domain: AttributeDomain? = nil,
        externalName: String? = nil,
        spelling: ExternalSpelling = ExternalSpelling(),
        title: String? = nil,
        explanation: String? = nil,
        renamedFrom: [String] = [],
        renamedValues: [RenamedValue] = []
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.rules = rules
        self.isUnique = isUnique
        self.isIndexed = isIndexed
        self.isImmutable = isImmutable
        self.domain = domain
        change {
            $0 = AttributeWords.Values(
                externalName: externalName, spelling: spelling, title: title, explanation: explanation,
                renamedFrom: renamedFrom, renamedValues: renamedValues)
        }
    }
}

/// The settings of an attribute that only files and documentation use.
private final class AttributeWords: Sendable {
    struct Values: Sendable, Equatable {
        var externalName: String?
        var spelling = ExternalSpelling()
        var title: String?
        var explanation: String?
        var renamedFrom: [String] = []
        var isComputed = false
        var renamedValues: [RenamedValue] = []
    }

    let values: Values

    init(_ values: Values) { self.values = values }
}

/// A value of an earlier version of a model, such as the raw value of a renamed enumeration case.
public struct RenamedValue: Sendable, Hashable {
    /// The earlier value.
    public let from: StoredValue
    /// The value that replaces it; it must satisfy the rules of the attribute.
    public let to: StoredValue

    /// Creates a replacement of an earlier value.
    public init(from: StoredValue, to: StoredValue) { (self.from, self.to) = (from, to) }
}

/// The value of an attribute if a row is inserted without one.
public enum DefaultValue: Sendable, Hashable {
    /// The same value for every row.
    case constant(StoredValue)
    /// The time at which the row is created.
    case now
    /// A new random UUID.
    case newUUID
}

extension DefaultValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates a constant text.
    public init(stringLiteral value: String) { self = .constant(.string(value)) }
    /// Creates a constant whole number.
    public init(integerLiteral value: Int64) { self = .constant(.integer(value)) }
    /// Creates a constant number.
    public init(floatLiteral value: Double) { self = .constant(.double(value)) }
    /// Creates a constant truth value.
    public init(booleanLiteral value: Bool) { self = .constant(.boolean(value)) }
}

/// A rule for the values of an attribute.
public enum AttributeRule: Sendable, Hashable {
    /// Values must be greater than or equal to the bound, by the comparison rules.
    case minimum(StoredValue)
    /// Values must be less than or equal to the bound, by the comparison rules.
    case maximum(StoredValue)
    /// Values must be greater than the bound, by the comparison rules.
    case greaterThan(StoredValue)
    /// Values must be less than the bound, by the comparison rules.
    case lessThan(StoredValue)
    /// Values must equal an element of the list, by the comparison rules; the list must not be empty.
    case oneOf([StoredValue])
    /// The minimum count of Unicode scalars (text) or bytes (binary).
    case minimumLength(Int)
    /// The maximum count of Unicode scalars (text) or bytes (binary).
    case maximumLength(Int)
    /// The whole text must match the regular expression, in Swift's syntax.
    case pattern(String)
}
