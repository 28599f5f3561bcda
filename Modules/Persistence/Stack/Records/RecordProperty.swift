import StrataCore

/// One property of an entity, with the code that accesses it in a record.
///
/// The entity of a record type lists its properties in the order of the columns. Each property that is to be stored
/// needs one entry. A to-many relationship has an entry without a property of the record.
///
/// ## Topics
///
/// ### Attributes
///
/// - ``attribute(_:_:raw:scale:default:rules:isUnique:isIndexed:isImmutable:)``
/// - ``computed(_:_:raw:scale:rules:isUnique:isIndexed:)``
/// - ``format(_:)``
/// - ``titled(_:_:)``
///
/// ### Relationships
///
/// - ``toMany(_:to:inverse:deleteRule:)``
///
/// ### Names and spellings in datasets
///
/// - ``external(_:spelling:)``
/// - ``external(key:)``
/// - ``external(link:)``
///
/// ### History
///
/// - ``preservedAfterDeletion()``
///
/// ### Earlier versions of the model
///
/// - ``renamed(from:)``
/// - ``renamedValues(_:)``
public struct RecordProperty<Record: ManagedRecord>: Sendable {
    var description: EntityDescription.Property
    let encode: PropertyEncoder?
    /// The function that writes a stored value to a record, or `nil` if the property is not writable.
    let assign: (@Sendable (inout Record, StoredValue) throws -> Void)?
    let rawPath: (any AnyKeyPath & Sendable)?
    /// The destination record type of a typed relationship; otherwise `nil`.
    let destination: (any PersistentRecord.Type)?
    /// A Boolean value that indicates whether the property's value is computed from other properties.
    ///
    /// The closure that creates records does not read a computed property.
    let isComputed: Bool
    /// The reason why an option of the property is invalid, which prevents creating a model with it, or `nil` if all
    /// are valid.
    var misuse: String?
    private let paths: [any PartialKeyPath<Record> & Sendable]

    private init(
        description: EntityDescription.Property, encode: PropertyEncoder?,
        assign: (@Sendable (inout Record, StoredValue) throws -> Void)? = nil,
        rawPath: (any AnyKeyPath & Sendable)?, paths: [any PartialKeyPath<Record> & Sendable],
        destination: (any PersistentRecord.Type)? = nil, isComputed: Bool = false
    ) {
        self.assign = assign
        self.description = description
        self.encode = encode
        self.rawPath = rawPath
        self.paths = paths
        self.destination = destination
        self.isComputed = isComputed
    }

    /// Creates a property that a record stores at an index instead of in a Swift property.
    ///
    /// - Parameters:
    ///   - description: The attribute, or the to-one relationship with a column.
    ///   - encode: The function that reads the property from a record.
    ///   - assign: The function that writes the property to a record.
    init(
        _ description: EntityDescription.Property, encode: PropertyEncoder,
        assign: @escaping @Sendable (inout Record, StoredValue) throws -> Void
    ) {
        self.init(description: description, encode: encode, assign: assign, rawPath: nil, paths: [])
    }

    var name: String { description.name }

    /// Returns the function that writes a stored value to a property, or `nil` if the property is not writable.
    private static func assigning<Value: AttributeValue>(
        _ path: any KeyPath<Record, Value> & Sendable
    ) -> (@Sendable (inout Record, StoredValue) throws -> Void)? {
        guard let writable = path as? WritableKeyPath<Record, Value> else { return nil }
        // SAFETY: this is the same object as the given `Sendable` path; a cast cannot keep the conformance.
        nonisolated(unsafe) let path = writable
        return { try $0[keyPath: path] = Value(storedValue: $1) }
    }

    /// Returns the attribute, whose value of a deleted record the history of a store keeps; see ``HistoryLevel``.
    ///
    /// If the property is no attribute, creating a model with it throws an error.
    public func preservedAfterDeletion() -> RecordProperty {
        var property = self
        if case .attribute(var attribute) = description {
            attribute.isPreservedAfterDeletion = true
            property.description = .attribute(attribute)
        } else {
            property.misuse = "only an attribute can be preserved after deletion"
        }
        return property
    }

    /// Returns the properties in the order of their columns.
    ///
    /// Computed properties are last, so that the closure of the record type reads all other columns consecutively.
    static func inOrder(_ properties: [RecordProperty]) -> [RecordProperty] {
        properties.filter { !$0.isComputed } + properties.filter(\.isComputed)
    }

    /// The name of the Swift property; the name of the column if the key path has no text with a name.
    var propertyName: String {
        guard let path = paths.first, let member = (path as AnyKeyPath).text.split(separator: ".").last,
            member.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { return name }
        return String(member)
    }

    /// The key paths that identify the property's column, each with the name of the column.
    var columns: [(path: AnyKeyPath, column: String)] { paths.map { ($0, name) } }

    /// Returns an attribute.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute and of its column.
    ///   - path: The key path to the record's property. The type of the property determines the attribute's type and
    ///     whether the attribute may be null.
    ///   - raw: The key path from a value of a custom type to its raw value (`\HexColor.rawValue`), so that predicates
    ///     can use the raw value.
    ///   - scale: The number of digits after the decimal point for a `Decimal` property, 0 to 18.
    ///   - defaultValue: The value for a new row that specifies no value.
    ///   - rules: The rules that every value except null must satisfy.
    ///   - isUnique: A Boolean value that indicates whether no two rows may have the same value.
    ///   - isIndexed: A Boolean value that indicates whether the store maintains an index of the values.
    ///   - isImmutable: A Boolean value that indicates whether the value cannot change after the insertion.
    /// - Returns: The property.
    public static func attribute<Value: AttributeValue>(
        _ name: String,
        _ path: any KeyPath<Record, Value> & Sendable,
        raw: (any AnyKeyPath & Sendable)? = nil,
        scale: UInt8 = 0,
        default defaultValue: DefaultValue? = nil,
        rules: [AttributeRule] = [],
        isUnique: Bool = false,
        isIndexed: Bool = false,
        isImmutable: Bool = false
    ) -> RecordProperty {
        var type = Value.attributeType
        if case .decimal = type { type = .decimal(scale: scale) }
        let attribute = AttributeDescription(
            name, type, isOptional: Value.isOptional, defaultValue: defaultValue, rules: rules, isUnique: isUnique,
            isIndexed: isIndexed, isImmutable: isImmutable, domain: Value.domain)
        return RecordProperty(
            description: .attribute(attribute), encode: PropertyEncoder(path), assign: assigning(path), rawPath: raw,
            paths: [path])
    }

    /// Returns an attribute for a computed property, whose values are stored so that the store can search them or keep
    /// them unique.
    ///
    /// ```swift
    /// struct Bill: PersistentRecord {
    ///     let id: RecordID<Bill>
    ///     var year: Int
    ///     var number: Int?
    ///
    ///     static let entity = RecordEntity<Bill>(
    ///         "Bill", id: \.id,
    ///         [
    ///             .attribute("year", \.year),
    ///             .attribute("number", \.number),
    ///             .computed("numberKey", \.numberKey, isUnique: true),
    ///         ]
    ///     ) { row in
    ///         Bill(id: try row.id(), year: try row.next(), number: try row.next())
    ///     }
    /// }
    ///
    /// extension Bill {
    ///     /// A number for each year; drafts have none.
    ///     var numberKey: String? { number.map { "\(year)/\($0)" } }
    /// }
    /// ```
    ///
    /// The value is stored whenever the record's row is stored, also by batches and bulk writes, and is not read back
    /// into the record. The value must depend only on the record, and a save may compute it more than once. Its column
    /// follows the columns of all properties that are not computed.
    ///
    /// If the attribute is new, it is computed for all rows when a store of an earlier model version is opened. If the
    /// code of the property changes so that it computes other values, raise the `computationVersion` of the entity. The
    /// values of all rows are then computed again when a store is next opened. See ``RecordEntity``.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute and of its column.
    ///   - path: The key path to the computed property, whose type determines the attribute's type. The column allows
    ///     null even if that type does not, so that a model without the code, such as a model from a file, can insert
    ///     rows.
    ///   - raw: The key path to the raw value, as in
    ///     ``attribute(_:_:raw:scale:default:rules:isUnique:isIndexed:isImmutable:)``.
    ///   - scale: The number of digits after the decimal point for a `Decimal` property, 0 to 18.
    ///   - rules: The rules that every value except null must satisfy.
    ///   - isUnique: A Boolean value that indicates whether no two rows may have the same value.
    ///   - isIndexed: A Boolean value that indicates whether the store maintains an index of the values.
    /// - Returns: The property.
    public static func computed<Value: AttributeValue>(
        _ name: String,
        _ path: any KeyPath<Record, Value> & Sendable,
        raw: (any AnyKeyPath & Sendable)? = nil,
        scale: UInt8 = 0,
        rules: [AttributeRule] = [],
        isUnique: Bool = false,
        isIndexed: Bool = false
    ) -> RecordProperty {
        let attribute = attribute(
            name, path, raw: raw, scale: scale, rules: rules, isUnique: isUnique, isIndexed: isIndexed)
        var description = attribute.description
        if case .attribute(var described) = description {
            described.isComputed = true
            // A version of the model without the code has no value for the column.
            described.isOptional = true
            description = .attribute(described)
        }
        return RecordProperty(
            description: description, encode: attribute.encode, rawPath: raw, paths: [path], isComputed: true)
    }

    /// Returns an optional to-one relationship, whose record property is an optional identifier.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship and of its column.
    ///   - path: The key path to the record's property.
    ///   - raw: The key path from the identifier to its number (`\.rawValue`), so that predicates can use the number.
    ///   - destination: The name of the related object's entity.
    ///   - inverse: The name of the inverse relationship of that entity; `nil` if it has none.
    ///   - deleteRule: The rule that applies to the related object when this object is deleted.
    /// - Returns: The property.
    public static func toOne<ID: RecordIdentifier>(
        _ name: String,
        _ path: any KeyPath<Record, ID?> & Sendable,
        raw: (any KeyPath<ID, Int64> & Sendable)? = nil,
        to destination: String,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify
    ) -> RecordProperty {
        let relationship = RelationshipDescription(
            name, to: destination, .toOne, inverse: inverse, deleteRule: deleteRule, isOptional: true)
        return RecordProperty(
            description: .relationship(relationship), encode: PropertyEncoder(path), assign: assigning(path),
            rawPath: raw ?? ID.rawValuePath, paths: [path])
    }

    /// Returns a mandatory to-one relationship, whose record property is an identifier.
    ///
    /// A row without the reference is invalid. The parameters are those of the method for optional relationships.
    public static func toOne<ID: RecordIdentifier>(
        _ name: String,
        _ path: any KeyPath<Record, ID> & Sendable,
        raw: (any KeyPath<ID, Int64> & Sendable)? = nil,
        to destination: String,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify
    ) -> RecordProperty {
        let relationship = RelationshipDescription(
            name, to: destination, .toOne, inverse: inverse, deleteRule: deleteRule, isOptional: false)
        return RecordProperty(
            description: .relationship(relationship), encode: PropertyEncoder(path), assign: assigning(path),
            rawPath: raw ?? ID.rawValuePath, paths: [path])
    }

    /// Returns the to-many side of a relationship.
    ///
    /// It declares the relationship's name, and the delete rule that applies to the related objects when this object is
    /// deleted. To use the relationship by key path, or to declare an order or counts, declare a ``ToMany`` value
    /// instead.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - destination: The name of the related objects' entity.
    ///   - inverse: The name of the inverse relationship of that entity, which is a to-one or a to-many relationship.
    ///   - deleteRule: The rule that applies to the related objects when this object is deleted.
    /// - Returns: The property, which has no column.
    public static func toMany(
        _ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify
    ) -> RecordProperty {
        let relationship = RelationshipDescription(
            name, to: destination, .toMany, inverse: inverse, deleteRule: deleteRule)
        return RecordProperty(description: .relationship(relationship), encode: nil, rawPath: nil, paths: [])
    }

    /// Returns the property for a to-many relationship that the record type declares as a ``ToMany`` value.
    public static func relationship<Destination: PersistentRecord>(
        _ relationship: ToMany<Record, Destination>
    ) -> RecordProperty {
        RecordProperty(
            description: .relationship(relationship.description), encode: nil, rawPath: nil, paths: [],
            destination: Destination.self)
    }

    /// Returns the property for a one-to-one relationship without a column that the record type declares as a ``ToOne``
    /// value.
    public static func relationship<Destination: PersistentRecord>(
        _ relationship: ToOne<Record, Destination>
    ) -> RecordProperty {
        RecordProperty(
            description: .relationship(relationship.description), encode: nil, rawPath: nil, paths: [],
            destination: Destination.self)
    }
}
