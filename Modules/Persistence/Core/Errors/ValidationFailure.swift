/// One rule of the model that one object breaks.
public struct ValidationFailure: Error, Sendable, Hashable {
    /// A rule of the model.
    public enum Rule: Sendable, Hashable {
        /// The attribute is mandatory, and the value is null.
        case mandatory
        /// The value is not of the attribute's type, or is outside its range.
        case type(AttributeType)
        /// The value is below the minimum.
        case minimum(StoredValue)
        /// The value is above the maximum.
        case maximum(StoredValue)
        /// The value is not above the bound.
        case greaterThan(StoredValue)
        /// The value is not below the bound.
        case lessThan(StoredValue)
        /// The value is not in the list.
        case oneOf([StoredValue])
        /// The text has fewer Unicode scalars, or the data has fewer bytes.
        case minimumLength(Int)
        /// The text has more Unicode scalars, or the data has more bytes.
        case maximumLength(Int)
        /// The text does not match the regular expression as a whole.
        case pattern(String)
        /// The attribute must not change after the object was inserted.
        case immutable
        /// The value does not have the format of the attribute; the text describes the format without the value.
        case format(String)
        /// The attribute's Swift type or the initializer of the record type rejects the value.
        ///
        /// `reason` contains the text of the thrown error, which may contain values.
        case rejected(by: String, reason: String)
        /// Other objects still refer to this one, and the relationship denies the deletion.
        case deniedDeletion
        /// The identifier is not from 1 to 2^53 - 1.
        case identifier
        /// The relationship has fewer objects than its minimum.
        case minimumCount(Int)
        /// The relationship has more objects than its maximum.
        case maximumCount(Int)
        /// A rule of the record type itself, in its words.
        case custom(String)
    }

    /// The object's entity.
    public let entity: String
    /// The object's identifier; 0 if a bulk insert had not numbered the row yet.
    public let id: Int64
    /// The attribute or relationship; empty if the rule concerns the whole object.
    public let attribute: String
    /// The value that breaks the rule.
    public let value: StoredValue
    /// The rule.
    public let rule: Rule
    /// The name of the row for people, such as `code “A”`; `nil` unless the caller sets it.
    ///
    /// ``description`` shows the name in place of the identifier. The name contains values of the user's data. Strata's
    /// tool sets it for rows whose files have a key other than the identifier.
    public var rowName: String?

    /// Creates a failure.
    public init(entity: String, id: Int64, attribute: String, value: StoredValue, rule: Rule) {
        self.entity = entity
        self.id = id
        self.attribute = attribute
        self.value = value
        self.rule = rule
    }
}

extension ValidationFailure: CustomStringConvertible, CustomDebugStringConvertible {
    /// The object, the attribute and the rule, without the value.
    public var description: String { "\(subject): \(ruleText)" }

    private var subject: String {
        let row = "\(entity) \(rowName ?? String(id))"
        return attribute.isEmpty ? row : "\(row), \(attribute)"
    }

    /// The object, the attribute, the value and the rule.
    public var debugDescription: String { "\(subject): \(reason)" }

    /// The value and the rule that it breaks, for a message that already names the location of the value.
    public var reason: String {
        switch rule {
        case .rejected(_, let reason): reason
        case .mandatory, .format, .deniedDeletion, .custom: ruleText
        default: "\(value) \(ruleText)"
        }
    }

    /// Returns the first values of a list and the count of the others.
    private static func listed(_ values: [StoredValue]) -> String {
        let more = values.count - 20
        return values.prefix(20).map(\.description).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// The rule that is broken, without the value, for a message that already names the location.
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
