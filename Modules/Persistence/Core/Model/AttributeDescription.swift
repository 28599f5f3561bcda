/// One attribute of an entity: its name, its type, and the rules its values obey.
public struct AttributeDescription: Sendable {
    /// The name, unique within the entity whatever its case.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether null is allowed.
    public var isOptional: Bool
    /// What a row gets for which no value is given; not used where null is given.
    public var defaultValue: DefaultValue?
    /// The rules every value but null obeys.
    public var rules: [AttributeRule]
    /// Whether no two rows may have the same value; nulls do not count.
    public var isUnique: Bool
    /// Whether the store keeps an index over the values.
    public var isIndexed: Bool
    /// Whether the value never changes once the object was inserted.
    public var isImmutable: Bool
    /// The rule of the attribute's own Swift type, if it has one.
    public var domain: AttributeDomain?
    /// What datasets call it, any text; `nil` where that is the name.
    public var externalName: String? {
        get { words?.externalName }
        set { change { $0.externalName = newValue } }
    }
    /// How datasets spell its values.
    public var spelling: ExternalSpelling {
        get { words?.spelling ?? ExternalSpelling() }
        set { change { $0.spelling = newValue } }
    }
    /// A few words for people on what the values are.
    public var title: String? {
        get { words?.title }
        set { change { $0.title = newValue } }
    }
    /// More words.
    public var explanation: String? {
        get { words?.explanation }
        set { change { $0.explanation = newValue } }
    }
    /// What the attribute was called before, in earlier versions of the model.
    public var renamedFrom: [String] {
        get { words?.renamedFrom ?? [] }
        set { change { $0.renamedFrom = newValue } }
    }
    /// Values of earlier versions of the model, and the values that have taken their places.
    ///
    /// If a store was not opened with one of them before, opening it gives its rows the new value.
    public var renamedValues: [RenamedValue] {
        get { words?.renamedValues ?? [] }
        set { change { $0.renamedValues = newValue } }
    }
    /// Whether a record type computes the values from those of other attributes.
    ///
    /// A model that is read from a file computes nothing.
    public package(set) var isComputed: Bool {
        get { words?.isComputed ?? false }
        set { change { $0.isComputed = newValue } }
    }

    /// What only files and people ask for; `nil` where nothing is said.
    ///
    /// By reference: descriptions are copied much more often than this is looked at.
    private var storedWords: AttributeWords?
    private var words: AttributeWords.Values? { storedWords?.values }

    private mutating func change(_ body: (inout AttributeWords.Values) -> Void) {
        var values = words ?? AttributeWords.Values()
        body(&values)
        storedWords = values == AttributeWords.Values() ? nil : AttributeWords(values)
    }

    /// Describes an attribute.
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

/// What datasets and people call an attribute.
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

/// A value that an earlier version of a model had, such as the raw value of a renamed case of an enumeration.
public struct RenamedValue: Sendable, Hashable {
    /// The earlier value.
    public let from: StoredValue
    /// The value that takes its place; it obeys the rules of the attribute.
    public let to: StoredValue

    /// Creates the pair of an earlier value and the value that takes its place.
    public init(from: StoredValue, to: StoredValue) { (self.from, self.to) = (from, to) }
}

/// What an attribute gets where no value is given.
public enum DefaultValue: Sendable, Hashable {
    /// Always this value.
    case constant(StoredValue)
    /// The instant at which the row is made.
    case now
    /// A fresh random identifier.
    case newUUID
}

/// A rule on the values of an attribute.
public enum AttributeRule: Sendable, Hashable {
    /// At least this, by the comparison rules.
    case minimum(StoredValue)
    /// At most this, by the comparison rules.
    case maximum(StoredValue)
    /// More than this, by the comparison rules.
    case greaterThan(StoredValue)
    /// Less than this, by the comparison rules.
    case lessThan(StoredValue)
    /// One of these, at least one, by the comparison rules.
    case oneOf([StoredValue])
    /// At least so many Unicode scalars (text) or bytes (binary).
    case minimumLength(Int)
    /// At most so many Unicode scalars (text) or bytes (binary).
    case maximumLength(Int)
    /// The whole text matches this regular expression, in Swift's syntax.
    case pattern(String)
}
