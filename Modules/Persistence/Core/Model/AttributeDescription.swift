/// One attribute of an entity: its name, its type, and the rules for its values.
///
/// ```swift
/// AttributeDescription("label", .string, rules: [.maximumLength(8)], isUnique: true)
///
/// AttributeDescription("rank", .integer64, defaultValue: .constant(.integer(7)), isImmutable: true)
///
/// AttributeDescription(
///     "price", .decimal(scale: 2), isOptional: true,
///     rules: [.minimum(.decimal(ScaledDecimal(unscaled: 0, scale: 2)))])
/// ```
///
/// An attribute is mandatory unless it is optional: null then breaks a rule, and a row that is inserted without a value
/// gets the default, or is rejected if there is none. The rules apply to every value that is written, by a save, a
/// batch or an import. A value that breaks a rule is reported as a ``ValidationFailure``.
///
/// A description can be changed until it becomes part of a ``ManagedObjectModel``, which validates it.
///
/// ## Topics
///
/// ### Values
///
/// - ``name``
/// - ``type``
/// - ``isOptional``
/// - ``defaultValue``
/// - ``isComputed``
/// - ``AttributeType``
/// - ``DefaultValue``
///
/// ### Rules
///
/// - ``rules``
/// - ``domain``
/// - ``isUnique``
/// - ``isImmutable``
/// - ``isPreservedAfterDeletion``
/// - ``AttributeRule``
/// - ``AttributeDomain``
///
/// ### Access
///
/// - ``isIndexed``
///
/// ### Later versions of the model
///
/// - ``renamedFrom``
/// - ``renamedValues``
/// - ``RenamedValue``
///
/// ### Datasets and documentation
///
/// - ``externalName``
/// - ``spelling``
/// - ``title``
/// - ``explanation``
public struct AttributeDescription: Sendable {
    /// The name of the attribute, unique within its entity; case is ignored.
    public var name: String
    /// The type of the attribute's values.
    ///
    /// If a later version of the model changes the type, a migration converts the stored values, and fails if one of
    /// them cannot be converted without a loss.
    public var type: AttributeType
    /// A Boolean value that indicates whether the attribute permits null.
    public var isOptional: Bool
    /// The value of the attribute in a row that is inserted without a value; it does not replace an explicit null.
    public var defaultValue: DefaultValue?
    /// The rules that every value of the attribute except null must satisfy.
    ///
    /// Rules are checked after the value was converted to the attribute's type. All rules that a value breaks are
    /// reported, and not only the first one. A rule that a later version of the model adds is also checked for the rows
    /// that are stored already, when the store is opened with that version.
    public var rules: [AttributeRule]
    /// A Boolean value that indicates whether two rows must not have the same value; null is exempt.
    ///
    /// A store keeps an index for the check, so that lookups by the attribute are fast as well. For values that are
    /// unique only together, use ``EntityDescription/uniquenessConstraints``.
    public var isUnique: Bool
    /// A Boolean value that indicates whether a store maintains an index over the attribute's values.
    ///
    /// An index makes conditions and sort orders on the attribute faster, and each write slower. Texts with an ordered
    /// format (``TextFormat/isOrdered``) are not found by an index if they are compared by order. A change of the
    /// property is adopted when the store is next opened for writing, without a migration of rows.
    public var isIndexed: Bool
    /// A Boolean value that indicates whether the attribute's value cannot be changed after the object was inserted.
    ///
    /// A save or an import that would change the value fails with ``ValidationFailure/Rule/immutable``. A batch update
    /// that names the attribute is an invalid request.
    public var isImmutable: Bool
    /// A Boolean value that indicates whether the history of a store keeps the attribute's value of a deleted row.
    ///
    /// See ``HistoryLevel``. The default is `false`.
    public var isPreservedAfterDeletion = false
    /// The rule of the attribute's text format or custom Swift type; `nil` if it has none.
    public var domain: AttributeDomain?
    /// The name of the attribute's column in datasets, which may be any text; `nil` if it is ``name``.
    public var externalName: String? {
        get { words?.externalName }
        set { change { $0.externalName = newValue } }
    }
    /// The spelling of the attribute's values in datasets.
    public var spelling: ExternalSpelling {
        get { words?.spelling ?? ExternalSpelling() }
        set { change { $0.spelling = newValue } }
    }
    /// A short description of the attribute for people; `nil` if there is none.
    public var title: String? {
        get { words?.title }
        set { change { $0.title = newValue } }
    }
    /// A longer description of the attribute for people; `nil` if there is none.
    public var explanation: String? {
        get { words?.explanation }
        set { change { $0.explanation = newValue } }
    }
    /// The attribute's names in earlier versions of the model.
    ///
    /// A migration from a model that has one of these names, and not the current name, keeps the stored values.
    public var renamedFrom: [String] {
        get { words?.renamedFrom ?? [] }
        set { change { $0.renamedFrom = newValue } }
    }
    /// The values of earlier versions of the model, with the values that replace them.
    ///
    /// When a store is opened with a new entry for the first time, rows with the earlier value get the later value.
    public var renamedValues: [RenamedValue] {
        get { words?.renamedValues ?? [] }
        set { change { $0.renamedValues = newValue } }
    }
    /// A Boolean value that indicates whether a record type computes the attribute's values from other attributes.
    ///
    /// It is `false` for every attribute of a model that was read from a file.
    public package(set) var isComputed: Bool {
        get { words?.isComputed ?? false }
        set { change { $0.isComputed = newValue } }
    }

    /// The settings of the attribute that only files and documentation use; `nil` if all have their defaults.
    ///
    /// They are stored by reference, because descriptions are copied much more often than these settings are read.
    private var storedWords: AttributeWords?
    private var words: AttributeWords.Values? { storedWords?.values }

    private mutating func change(_ body: (inout AttributeWords.Values) -> Void) {
        var values = words ?? AttributeWords.Values()
        body(&values)
        storedWords = values == AttributeWords.Values() ? nil : AttributeWords(values)
    }

    /// Creates the description of an attribute.
    ///
    /// The initializer checks nothing; ``ManagedObjectModel/init(_:)`` checks all arguments.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute, unique within its entity; letters, digits and `_`.
    ///   - type: The type of the values.
    ///   - isOptional: A Boolean value that indicates whether null is permitted (default: null is rejected).
    ///   - defaultValue: The value of rows that are inserted without one; it must have the attribute's type.
    ///   - rules: The rules for values other than null.
    ///   - isUnique: A Boolean value that indicates whether two rows must not have the same value.
    ///   - isIndexed: A Boolean value that indicates whether a store maintains an index; not necessary if `isUnique` is
    ///     `true`.
    ///   - isImmutable: A Boolean value that indicates whether the value cannot be changed after the insertion.
    ///   - domain: The rule of a text format, such as `TextFormat.email.domain`, or of a Swift type.
    ///   - externalName: The name of the column in datasets; `nil` if it is `name`.
    ///   - spelling: The spelling of the values in datasets.
    ///   - title: A short description for people.
    ///   - explanation: A longer description for people.
    ///   - renamedFrom: The names in earlier versions of the model.
    ///   - renamedValues: The values of earlier versions, each with its replacement; no earlier value may occur twice.
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

/// A replacement of a value of an earlier model version, such as the raw value of a renamed enumeration case.
public struct RenamedValue: Sendable, Hashable {
    /// The earlier value.
    public let from: StoredValue
    /// The later value that replaces it; it must satisfy the rules of the attribute.
    public let to: StoredValue

    /// Creates a replacement of an earlier value with a later value.
    public init(from: StoredValue, to: StoredValue) { (self.from, self.to) = (from, to) }
}

/// The default of an attribute: its value in a row that is inserted without one.
///
/// A literal is a constant: `"new"`, `0`, `1.5` and `false` can be passed as defaults. A default applies only if the
/// value is missing, never to an explicit null. If a later version of the model adds a mandatory attribute, a migration
/// uses the default for the rows that are stored already.
public enum DefaultValue: Sendable, Hashable {
    /// This constant value, the same for every row.
    ///
    /// The value must have the attribute's type and must not be null.
    case constant(StoredValue)
    /// The time at which the row is created.
    ///
    /// It is permitted only for attributes of type ``AttributeType/date``. All rows of one bulk insert get the same
    /// instant, to the millisecond.
    case now
    /// A new random UUID for each row.
    ///
    /// It is permitted only for attributes of type ``AttributeType/uuid``.
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
///
/// Bounds and lists compare by <doc:ComparisonRules>. Texts are compared by their UTF-8 bytes; texts with an ordered
/// format are compared by their meaning with bounds, and by their bytes with lists. The bounds must have the
/// attribute's type; otherwise the model is invalid. Null satisfies every rule; ``AttributeDescription/isOptional``
/// decides whether it is permitted.
public enum AttributeRule: Sendable, Hashable {
    /// A rule that values must be greater than or equal to this bound, by the comparison rules.
    case minimum(StoredValue)
    /// A rule that values must be less than or equal to this bound, by the comparison rules.
    case maximum(StoredValue)
    /// A rule that values must be greater than this bound, by the comparison rules.
    case greaterThan(StoredValue)
    /// A rule that values must be less than this bound, by the comparison rules.
    case lessThan(StoredValue)
    /// A rule that values must equal an element of this list, by the comparison rules; the list must not be empty.
    case oneOf([StoredValue])
    /// A rule for the minimum count of Unicode scalars in a text, or of bytes in binary data.
    case minimumLength(Int)
    /// A rule for the maximum count of Unicode scalars in a text, or of bytes in binary data.
    case maximumLength(Int)
    /// A rule that the whole text must match this regular expression, in Swift's syntax.
    ///
    /// It is permitted only for texts. The model check compiles the expression, so that an invalid one makes the model
    /// invalid.
    case pattern(String)
}
