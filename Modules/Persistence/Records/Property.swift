/// One property of an entity, as its record type knows it.
public struct Property<Record: PersistentRecord>: Sendable {
    let description: EntityDescription.Property
    let encode: (@Sendable (Record) throws -> StoredValue)?
    let rawPath: (any AnyKeyPath & Sendable)?
    private let paths: [any PartialKeyPath<Record> & Sendable]

    var name: String { description.name }

    func matches(_ path: AnyKeyPath) -> Bool {
        paths.contains { ($0 as AnyKeyPath) == path }
    }

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
    ///   - isConstant: Whether the value never changes once inserted.
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
        isConstant: Bool = false
    ) -> Property {
        var type = Value.attributeType
        if case .decimal = type { type = .decimal(scale: scale) }
        let attribute = AttributeDescription(
            name, type, isOptional: Value.isOptional, defaultValue: defaultValue, rules: rules, isUnique: isUnique,
            isIndexed: isIndexed, isConstant: isConstant, format: Value.format)
        return Property(
            description: .attribute(attribute), encode: encoder(of: path), rawPath: raw,
            paths: [path])
    }

    /// A to-one relationship that may lead nowhere: an optional identifier in the record.
    public static func toOne<ID: RecordIdentifier>(
        _ name: String,
        _ path: any KeyPath<Record, ID?> & Sendable,
        raw: (any KeyPath<ID, Int64> & Sendable)? = nil,
        to destination: String,
        inverse: String? = nil
    ) -> Property {
        let relationship = RelationshipDescription(
            name, to: destination, .toOne, inverse: inverse, isOptional: true)
        return Property(
            description: .relationship(relationship), encode: encoder(of: path), rawPath: raw,
            paths: [path])
    }

    /// A to-one relationship that always leads somewhere: an identifier in the record.
    public static func toOne<ID: RecordIdentifier>(
        _ name: String,
        _ path: any KeyPath<Record, ID> & Sendable,
        raw: (any KeyPath<ID, Int64> & Sendable)? = nil,
        to destination: String,
        inverse: String? = nil
    ) -> Property {
        let relationship = RelationshipDescription(
            name, to: destination, .toOne, inverse: inverse, isOptional: false)
        return Property(
            description: .relationship(relationship), encode: encoder(of: path), rawPath: raw,
            paths: [path])
    }

    /// The to-many side of a relationship: what happens to the objects that point here, and under which name they are asked for.
    public static func toMany(
        _ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify
    ) -> Property {
        let relationship = RelationshipDescription(
            name, to: destination, .toMany, inverse: inverse, deleteRule: deleteRule)
        return Property(description: .relationship(relationship), encode: nil, rawPath: nil, paths: [])
    }
}
