/// One step of a migration from one model to the next.
///
/// ```swift
/// for step in ModelMapping(from: old, to: new).steps { print(step) }   // add Customer.phone
/// ```
public struct MigrationStep: Sendable, Hashable {
    /// The kind of a step; `strata migrate --format json` prints the raw values.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An entity, attribute or relationship that the earlier model did not have.
        case add
        /// An entity, attribute or relationship that the later model does not have; its stored data is deleted.
        case remove
        /// An entity, attribute or relationship with a new name.
        case rename
        /// The values of an attribute are converted to another type.
        case changeType
        /// An attribute or relationship that permits null now.
        case makeOptional
        /// An attribute or relationship that no longer permits null; its default, if any, replaces null.
        case makeMandatory
        /// Values that must be unique now.
        case addUniqueness
        /// Values that need not be unique now.
        case removeUniqueness
        /// A new index for requests.
        case addIndex
        /// An index that the later model does not declare.
        case removeIndex
        /// A relationship that changes its cardinality, its order or its storage.
        case changeRelationship
        /// The identifier of rows becomes an attribute, because it is not the key in files anymore.
        case changeKey
        /// An attribute becomes the identifier of rows, because it is their key in files.
        case makeIdentifier
        /// An attribute with the keys of other rows becomes a reference to them.
        case makeReference
        /// A reference becomes an attribute with the key of the row.
        case makeAttribute
        /// A value is replaced by another, such as that of a renamed case of an enumeration.
        case renameValue
        /// The values that a record type computes are computed again, because its code has another version.
        case compute
        /// Rules, defaults or delete rules change, which constrain rows but are not stored in them.
        case changeRules
    }

    /// The kind of the step.
    public let kind: Kind
    /// The name of the entity in the later model.
    ///
    /// For a removed or renamed entity, it is the name in the earlier model.
    public let entity: String
    /// The attribute or relationship; `nil` if the step concerns the entity.
    ///
    /// It is the name in the later model. For a removed or renamed property, it is the name in the earlier model.
    /// Properties that are unique or indexed together are separated by commas.
    public let attribute: String?
    /// The new name or type; for a renamed value, the earlier and the later value, such as `“blue” “azure”`.
    public let to: String?
    /// A Boolean value that indicates whether tables or rows change, and not only the metadata of the store.
    public let isPhysical: Bool

    /// Creates a step.
    public init(_ kind: Kind, _ entity: String, attribute: String? = nil, to: String? = nil, isPhysical: Bool = true) {
        self.kind = kind
        self.entity = entity
        self.attribute = attribute
        self.to = to
        self.isPhysical = isPhysical
    }
}

extension MigrationStep: CustomStringConvertible {
    /// The step as a line: `add Customer.phone`, `rename Customer.mail email`, `change-type Customer.age integer32`.
    public var description: String {
        let verb = kind.rawValue.reduce(into: "") { text, character in
            text += character.isUppercase ? "-" + character.lowercased() : String(character)
        }
        let subject = attribute.map { $0.contains(",") ? "\(entity) (\($0))" : "\(entity).\($0)" } ?? entity
        return "\(verb) \(subject)" + (to.map { " \($0)" } ?? "")
    }
}
