/// One step of a migration: what a store does to follow from one model to the next.
///
/// ```swift
/// for step in ModelMapping(from: old, to: new).steps { print(step) }   // add Customer.phone
/// ```
public struct MigrationStep: Sendable, Hashable {
    /// What kind of step it is; the raw values are what `strata migrate --format json` says.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An entity, attribute or relationship that the earlier model did not have.
        case add
        /// One that the later model does not have; what the store holds of it goes.
        case remove
        /// One that has another name.
        case rename
        /// An attribute's values become those of another type.
        case changeType
        /// Null is allowed.
        case makeOptional
        /// Null is not allowed any more; where there is a default, it takes null's place.
        case makeMandatory
        /// Values that no two rows may have.
        case addUniqueness
        /// Values that several rows may have now.
        case removeUniqueness
        /// An index for requests.
        case addIndex
        /// An index that nobody wants any more.
        case removeIndex
        /// A relationship that leads to one leads to many, has an order, or is kept elsewhere.
        case changeRelationship
        /// The identifier of rows becomes an attribute, because it is not the key of files any more.
        case changeKey
        /// An attribute becomes the identifier of rows, because it is their key in files.
        case makeIdentifier
        /// An attribute with the keys of other rows becomes a reference to them.
        case makeReference
        /// A reference becomes an attribute with the key of the row.
        case makeAttribute
        /// A value has another one in its place, such as that of a renamed case of an enumeration.
        case renameValue
        /// Values that a record type computes are computed again, because its code is of another version.
        case compute
        /// Rules, defaults, delete rules: what rows obey, and do not consist of.
        case changeRules
    }

    /// What kind of step it is.
    public let kind: Kind
    /// The entity, by its name in the later model; in the earlier one where it is removed, or renamed itself.
    public let entity: String
    /// The attribute or relationship; `nil` where the step is about the entity.
    ///
    /// By its name in the later model, or in the earlier one where it is removed or renamed; several with commas between them where they are unique or indexed together.
    public let attribute: String?
    /// The new name or type; of a renamed value the earlier and the later one, as `“blue” “azure”`.
    public let to: String?
    /// Whether tables or rows change, and not only what the store says of itself.
    public let isPhysical: Bool

    /// A step.
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
