import StrataCore

/// One property of an entity, as its record type knows it.
public struct RecordProperty<Record: ManagedRecord>: Sendable {
    var description: EntityDescription.Property
    let encode: PropertyEncoder?
    /// Writes a stored value to the record; `nil` where the property is a constant.
    let assign: (@Sendable (inout Record, StoredValue) throws -> Void)?
    let rawPath: (any AnyKeyPath & Sendable)?
    /// The record type that a typed relationship leads to.
    let destination: (any PersistentRecord.Type)?
    /// Whether the value follows from other properties, so that records are made without it.
    let isComputed: Bool
    /// What was said of the property that is for another kind of property; a model is not made with it.
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

    /// A property that the record keeps at a place, and not in a property of its own.
    ///
    /// - Parameters:
    ///   - description: The attribute, or the to-one relationship with a column.
    ///   - encode: Reads the value from a record.
    ///   - assign: Writes the value to a record.
    init(
        _ description: EntityDescription.Property, encode: PropertyEncoder,
        assign: @escaping @Sendable (inout Record, StoredValue) throws -> Void
    ) {
        self.init(description: description, encode: encode, assign: assign, rawPath: nil, paths: [])
    }

    var name: String { description.name }

    /// How a stored value is written to a property that can be written.
    private static func assigning<Value: AttributeValue>(
        _ path: any KeyPath<Record, Value> & Sendable
    ) -> (@Sendable (inout Record, StoredValue) throws -> Void)? {
        guard let writable = path as? WritableKeyPath<Record, Value> else { return nil }
        // SAFETY: the same object as the `Sendable` path that was given; a cast cannot keep the marker.
        nonisolated(unsafe) let path = writable
        return { try $0[keyPath: path] = Value(storedValue: $1) }
    }

    /// The properties in the order of their columns: what is computed stands last, so that all else is read one after the other.
    static func inOrder(_ properties: [RecordProperty]) -> [RecordProperty] {
        properties.filter { !$0.isComputed } + properties.filter(\.isComputed)
    }

    /// The key paths that lead to the property's column.
    var columns: [(path: AnyKeyPath, column: String)] { paths.map { ($0, name) } }

    /// An attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name, and its column's.
    ///   - path: Where the record has it. Its type decides the attribute's type and whether null is allowed.
    ///   - raw: For a type of one's own, the key path to its raw value (`\HexColor.rawValue`), so that predicates may use it.
    ///   - scale: For a `Decimal`, the digits after the point, 0 to 18.
    ///   - defaultValue: What a row gets for which no value is given.
    ///   - rules: What every value but null obeys.
    ///   - isUnique: Whether no two rows may have the same value.
    ///   - isIndexed: Whether the store keeps an index.
    ///   - isImmutable: Whether the value never changes once inserted.
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

    /// An attribute that follows from the others: a computed property, stored so that stores can search it or keep it unique.
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
    ///     /// One number a year; drafts have none.
    ///     var numberKey: String? { number.map { "\(year)/\($0)" } }
    /// }
    /// ```
    ///
    /// The value is stored whenever its row is, also by batches and bulk writes, and is not read back. It must depend on the record alone, and a save may ask for
    /// it more than once. Its column comes after those of all other properties.
    ///
    /// If the attribute is new, opening a store of an earlier model computes it for all rows. If the property computes another value than before, raise the
    /// `computationVersion` of the entity: the next opening then computes the values of all rows again. See ``RecordEntity``.
    ///
    /// - Parameters:
    ///   - name: The attribute's name, and its column's.
    ///   - path: The computed property. Its type decides the attribute's type. The column allows null also if the type does not, so that a model without the
    ///     code, such as that of a file, can have rows.
    ///   - raw: As in ``attribute(_:_:raw:scale:default:rules:isUnique:isIndexed:isImmutable:)``.
    ///   - scale: For a `Decimal`, the digits after the point, 0 to 18.
    ///   - rules: What every value but null obeys.
    ///   - isUnique: Whether no two rows may have the same value.
    ///   - isIndexed: Whether the store keeps an index.
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

    /// A to-one relationship that may lead nowhere: an optional identifier in the record.
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

    /// A to-one relationship that always leads somewhere: an identifier in the record.
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

    /// The to-many side of a relationship: what happens to the objects that point here, and under which name they are asked for.
    public static func toMany(
        _ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify
    ) -> RecordProperty {
        let relationship = RelationshipDescription(
            name, to: destination, .toMany, inverse: inverse, deleteRule: deleteRule)
        return RecordProperty(description: .relationship(relationship), encode: nil, rawPath: nil, paths: [])
    }

    /// A to-many relationship that the record type has as a typed value.
    public static func relationship<Destination: PersistentRecord>(
        _ relationship: ToMany<Record, Destination>
    ) -> RecordProperty {
        RecordProperty(
            description: .relationship(relationship.description), encode: nil, rawPath: nil, paths: [],
            destination: Destination.self)
    }

    /// The side of a one-to-one relationship without a column, which the record type has as a typed value.
    public static func relationship<Destination: PersistentRecord>(
        _ relationship: ToOne<Record, Destination>
    ) -> RecordProperty {
        RecordProperty(
            description: .relationship(relationship.description), encode: nil, rawPath: nil, paths: [],
            destination: Destination.self)
    }
}
