/// A failure of one object to satisfy one rule of the model.
///
/// A save validates all changed objects before it writes the first one, and reports every failure in
/// ``PersistenceError/failures``. Use ``attribute`` to mark the field of a form, and ``rule`` to choose a text of your
/// own. ``description`` has no values of the user's data, ``reason`` and ``debugDescription`` have.
///
/// ## Topics
///
/// ### The object
///
/// - ``entity``
/// - ``id``
/// - ``rowName``
/// - ``attribute``
/// - ``value``
///
/// ### The rule
///
/// - ``rule``
/// - ``Rule``
///
/// ### Describing
///
/// - ``description``
/// - ``reason``
/// - ``debugDescription``
///
/// ### Creating a failure
///
/// - ``init(entity:id:attribute:value:rule:)``
public struct ValidationFailure: Error, Sendable, Hashable {
    /// A rule of the model that an object breaks.
    ///
    /// A later version may add a rule, so add a `default` to a `switch`.
    public enum Rule: Sendable, Hashable {
        /// The value of a mandatory attribute is null.
        case mandatory
        /// The value is not of this attribute type, or is outside the range of the type.
        case type(AttributeType)
        /// The value is below this minimum.
        case minimum(StoredValue)
        /// The value is above this maximum.
        case maximum(StoredValue)
        /// The value is not above this bound.
        case greaterThan(StoredValue)
        /// The value is not below this bound.
        case lessThan(StoredValue)
        /// The value is not in this list of permitted values.
        case oneOf([StoredValue])
        /// The text has fewer Unicode scalars, or the binary data has fewer bytes, than this minimum.
        case minimumLength(Int)
        /// The text has more Unicode scalars, or the binary data has more bytes, than this maximum.
        case maximumLength(Int)
        /// The text as a whole does not match this regular expression.
        case pattern(String)
        /// The value was changed after the object was inserted, which the attribute does not permit.
        case immutable
        /// The value does not have the text format of the attribute; the associated text describes the format.
        case format(String)
        /// The attribute's Swift type or the record type's initializer rejects the value.
        ///
        /// The associated value `reason` is the text of the thrown error, which may contain values of the user's data.
        case rejected(by: String, reason: String)
        /// The object cannot be deleted, because other objects still reference it and the relationship's delete rule is
        /// deny.
        case deniedDeletion
        /// The identifier of the object is not from 1 to 2^53 - 1.
        case identifier
        /// The relationship references fewer objects than this minimum.
        case minimumCount(Int)
        /// The relationship references more objects than this maximum.
        case maximumCount(Int)
        /// The object breaks a rule of its record type; the associated text describes the rule.
        case custom(String)
    }

    /// The name of the object's entity.
    public let entity: String
    /// The object's identifier; 0 if the row is from a bulk insert and has no identifier yet.
    public let id: Int64
    /// The name of the attribute or relationship; empty if the rule concerns the whole object.
    public let attribute: String
    /// The value that breaks the rule.
    public let value: StoredValue
    /// The rule of the model that the value breaks.
    public let rule: Rule
    /// The name of the object's row for people, such as `code “A”`; `nil` if the caller has not set it.
    ///
    /// ``description`` contains this name instead of the identifier. The name contains values of the user's data.
    /// Strata's command-line tool sets it for rows whose files have a key other than the identifier.
    public var rowName: String?

    /// Creates a failure of an object to satisfy a rule.
    ///
    /// - Parameters:
    ///   - entity: The name of the object's entity.
    ///   - id: The object's identifier; 0 if it is unknown.
    ///   - attribute: The name of the attribute or relationship; empty for a rule of the whole object.
    ///   - value: The value that breaks the rule; null if none can be named.
    ///   - rule: The broken rule.
    public init(entity: String, id: Int64, attribute: String, value: StoredValue, rule: Rule) {
        self.entity = entity
        self.id = id
        self.attribute = attribute
        self.value = value
        self.rule = rule
    }
}

extension ValidationFailure: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text with the object, the attribute and the broken rule, without the value.
    public var description: String { "\(subject): \(ruleText)" }

    private var subject: String {
        let row = "\(entity) \(rowName ?? String(id))"
        return attribute.isEmpty ? row : "\(row), \(attribute)"
    }

    /// A text with the object, the attribute, the value and the broken rule.
    public var debugDescription: String { "\(subject): \(reason)" }

    /// A text with the value and the broken rule, for a message that already names the object and the attribute.
    public var reason: String {
        switch rule {
        case .rejected(_, let reason): reason
        case .mandatory, .format, .deniedDeletion, .custom: ruleText
        default: "\(value) \(ruleText)"
        }
    }

    /// Returns a text with the first values of a list and the count of the remaining values.
    private static func listed(_ values: [StoredValue]) -> String {
        let more = values.count - 20
        return values.prefix(20).map(\.description).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// A text with the broken rule, without the value, for a message that already names the object and the attribute.
    package var ruleText: String {
        switch rule {
        case .mandatory: "is mandatory, null is not allowed"
        case .type(let type): type.coding.refusal(of: value)
        case .minimum(let minimum): "is less than \(minimum)"
        case .maximum(let maximum): "is greater than \(maximum)"
        case .greaterThan(let bound): "is not greater than \(bound)"
        case .lessThan(let bound): "is not less than \(bound)"
        case .oneOf(let values): "is not one of \(Self.listed(values))"
        case .minimumLength(let length): "is shorter than \(length)"
        case .maximumLength(let length): "is longer than \(length)"
        case .pattern(let pattern): "does not match \(pattern)"
        case .immutable: "cannot be changed after the insertion"
        case .format(let reason): reason
        case .rejected(let type, _): "\(type) rejects the value"
        case .deniedDeletion: "other objects refer to this object, and the relationship denies its deletion"
        case .minimumCount(let count): "is below the minimum count of \(count)"
        case .maximumCount(let count): "is above the maximum count of \(count)"
        case .custom(let reason): reason
        case .identifier: "is not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))"
        }
    }
}
