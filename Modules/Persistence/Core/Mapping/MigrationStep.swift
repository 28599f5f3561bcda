/// One step of a migration from an earlier model to a later model.
///
/// ```swift
/// for step in ModelMapping(from: old, to: new).steps { print(step) }   // add Customer.phone
/// ```
///
/// ## Topics
///
/// ### The step
///
/// - ``kind``
/// - ``Kind``
/// - ``isPhysical``
///
/// ### The change
///
/// - ``entity``
/// - ``attribute``
/// - ``to``
///
/// ### Creating and describing
///
/// - ``init(_:_:attribute:to:isPhysical:)``
/// - ``description``
public struct MigrationStep: Sendable, Hashable {
    /// The kind of a migration step; `strata migrate --format json` prints the raw values.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The later model has an entity, attribute or relationship that the earlier model does not have.
        case add
        /// The later model lacks an entity, attribute or relationship; its stored data is deleted.
        case remove
        /// An entity, attribute or relationship has a new name.
        case rename
        /// An attribute has a new type, to which its values are converted.
        case changeType
        /// An attribute or relationship permits null in the later model.
        case makeOptional
        /// An attribute or relationship does not permit null in the later model; its default, if any, replaces null.
        case makeMandatory
        /// The values of an attribute, or of several together, must be unique in the later model.
        case addUniqueness
        /// The values of an attribute, or of several together, need not be unique in the later model.
        case removeUniqueness
        /// The later model declares an index that the earlier model does not have.
        case addIndex
        /// The later model does not declare an index that the earlier model has.
        case removeIndex
        /// A relationship has another cardinality, order or storage.
        case changeRelationship
        /// The identifier of rows becomes an attribute, because files do not use it as the key in the later model.
        case changeKey
        /// An attribute becomes the identifier of rows, because files use it as the key in the later model.
        case makeIdentifier
        /// An attribute that contains keys of other rows becomes a reference to those rows.
        case makeReference
        /// A reference becomes an attribute that contains the key of the referenced row.
        case makeAttribute
        /// A value of an attribute is replaced with another value, such as the raw value of a renamed enumeration case.
        case renameValue
        /// The values that a record type computes are computed again, because its code has another version.
        case compute
        /// Rules, defaults or delete rules change, which constrain the rows but are not stored in them.
        case changeRules
    }

    /// The kind of the migration step.
    public let kind: Kind
    /// The name of the entity in the later model.
    ///
    /// For a removed or renamed entity, it is the name in the earlier model.
    public let entity: String
    /// The attribute or relationship that changes; `nil` if the step concerns the whole entity.
    ///
    /// It is the name in the later model. For a removed or renamed property, it is the name in the earlier model. The
    /// names of properties that are unique or indexed together are separated by commas.
    public let attribute: String?
    /// The new name or type of what changes; `nil` if the step has neither.
    ///
    /// For a renamed value, it is the earlier and the later value, such as `“blue” “azure”`.
    public let to: String?
    /// A Boolean value that indicates whether the step changes tables or rows of the store, and not only its metadata.
    public let isPhysical: Bool

    /// Creates a migration step.
    public init(_ kind: Kind, _ entity: String, attribute: String? = nil, to: String? = nil, isPhysical: Bool = true) {
        self.kind = kind
        self.entity = entity
        self.attribute = attribute
        self.to = to
        self.isPhysical = isPhysical
    }
}

extension MigrationStep: CustomStringConvertible {
    /// The step as one line: `add Customer.phone`, `rename Customer.mail email`, `change-type Customer.age integer32`.
    public var description: String {
        let verb = kind.rawValue.reduce(into: "") { text, character in
            text += character.isUppercase ? "-" + character.lowercased() : String(character)
        }
        let subject = attribute.map { $0.contains(",") ? "\(entity) (\($0))" : "\(entity).\($0)" } ?? entity
        return "\(verb) \(subject)" + (to.map { " \($0)" } ?? "")
    }
}
