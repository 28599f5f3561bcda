/// One entity of a model: its name, its attributes and its relationships, in the order in which they were declared.
public struct EntityDescription: Sendable {
    /// A property: an attribute or a relationship.
    public enum Property: Sendable {
        /// A value of its own.
        case attribute(AttributeDescription)
        /// A way to other objects.
        case relationship(RelationshipDescription)

        /// The property's name.
        public var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    /// By reference: entities are handed on with every request, and copying all of one would cost more than what is asked of it.
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let name: String
        @usableFromInline let properties: [Property]
        @usableFromInline let columns: [ColumnDescription]
        @usableFromInline let places: [String: Int]
        let uniquenessConstraints: [[String]]
        let indexes: [[String]]
        @usableFromInline let uniqueKeys: [UniqueKey]
        let isInUniqueKey: [Bool]
        let forms: [ColumnForm]
        let columnTypes: [AttributeType]
        let columnsAllowNull: [Bool]
        let external: ExternalForm
        let renamedFrom: [String]
        let positionColumn: Int?
        let computationVersion: Int?

        init(
            name: String, properties: [Property], columns: [ColumnDescription], uniquenessConstraints: [[String]],
            indexes: [[String]], external: ExternalForm, renamedFrom: [String], computationVersion: Int?
        ) {
            self.name = name
            self.computationVersion = computationVersion
            positionColumn = columns.lastIndex(where: \.isHidden)
            self.renamedFrom = renamedFrom
            self.properties = properties
            self.columns = columns
            self.uniquenessConstraints = uniquenessConstraints
            self.indexes = indexes
            self.external = external
            let places = Dictionary(
                columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.places = places
            // A list with a name that is none never gets into a model.
            let together = uniquenessConstraints.filter { $0.allSatisfy { places[$0] != nil } }
            uniqueKeys =
                columns.indices.filter { columns[$0].isUnique }.map { UniqueKey([$0]) }
                + together.map { UniqueKey($0.compactMap { places[$0] }) }
            let keyColumns = Set(uniqueKeys.flatMap(\.columns))
            isInUniqueKey = columns.indices.map(keyColumns.contains)
            forms = columns.map(ColumnForm.init)
            columnTypes = columns.map(\.type)
            columnsAllowNull = columns.map(\.isOptional)
        }
    }

    @usableFromInline let storage: Storage

    /// Whether it is the same description, and not only one that says the same.
    package func isSame(as other: EntityDescription) -> Bool { storage === other.storage }

    /// The name, unique within the model whatever its case.
    @inlinable public var name: String { storage.name }

    /// All properties, in the declared order.
    @inlinable public var properties: [Property] { storage.properties }

    /// What one row holds beside its identifier: attributes and stored to-one relationships, in the declared order.
    ///
    /// The last column of an entity that ``keepsOrder`` is hidden: it is no property.
    @inlinable public var columns: [ColumnDescription] { storage.columns }

    /// A Boolean value that indicates whether rows keep the order of their file, which is not that of their
    /// identifiers.
    ///
    /// The hidden column ``positionColumn`` has the order. Exports write rows in it, and new rows come last.
    public var keepsOrder: Bool { storage.positionColumn != nil }

    /// The place of the hidden column `_position` among ``columns``; `nil` if the entity does not keep the order of
    /// files.
    ///
    /// Its values are whole numbers that rise in the order of the rows. ``RowDefaults`` gives those of new rows. A row
    /// without a value comes first.
    public var positionColumn: Int? { storage.positionColumn }

    /// The places of the columns that are properties: all of ``columns`` without a hidden one.
    package var shownColumns: Range<Int> { 0..<(storage.positionColumn ?? columns.count) }

    /// The place of a column that is a property; `nil` if no property with a column has the name.
    package func shownColumnIndex(_ name: String) -> Int? {
        columnIndex(name).flatMap { $0 == positionColumn ? nil : $0 }
    }

    /// The types of ``columns``, by themselves: a column's description is a large value.
    package var columnTypes: [AttributeType] { storage.columnTypes }

    /// Whether null is allowed in each of ``columns``.
    package var columnsAllowNull: [Bool] { storage.columnsAllowNull }

    /// What values each of ``columns`` takes.
    package var forms: [ColumnForm] { storage.forms }

    /// Attributes and to-one relationships with a column whose values, taken together, no two rows may have; each list has two names or more.
    ///
    /// Rows with a null among the values are exempt. What is unique by itself is declared so: ``AttributeDescription/isUnique``.
    public var uniquenessConstraints: [[String]] { storage.uniquenessConstraints }

    /// Attributes and to-one relationships with a column that have one index together, in the order in which it sorts them; each list has two
    /// names or more.
    ///
    /// A uniqueness constraint is an index too, in the order of its names.
    public var indexes: [[String]] { storage.indexes }

    /// What datasets call the entity and its identifiers.
    public var external: ExternalForm { storage.external }

    /// The version of the code by which a record type computes values of rows; `nil` without such code.
    ///
    /// A store keeps the number. If it is another one, opening the store computes the values of all rows again.
    public var computationVersion: Int? { storage.computationVersion }

    /// What the entity was called before, in earlier versions of the model.
    public var renamedFrom: [String] { storage.renamedFrom }

    /// Describes an entity.
    ///
    /// - Parameters:
    ///   - name: Its name, unique within the model whatever its case.
    ///   - properties: Attributes and relationships, in the order of the columns.
    ///   - uniquenessConstraints: See ``uniquenessConstraints``; checked when a model is made.
    ///   - indexes: See ``indexes``; checked when a model is made.
    ///   - external: What datasets call the entity and its identifiers.
    ///   - renamedFrom: See ``renamedFrom``.
    ///   - keepsOrder: See ``keepsOrder``.
    ///   - computationVersion: See ``computationVersion``.
    public init(
        _ name: String, _ properties: [Property], uniquenessConstraints: [[String]] = [], indexes: [[String]] = [],
        external: ExternalForm = ExternalForm(), renamedFrom: [String] = [], keepsOrder: Bool = false,
        computationVersion: Int? = nil
    ) {
        storage = Storage(
            name: name, properties: properties,
            columns: properties.compactMap(ColumnDescription.init) + (keepsOrder ? [.position] : []),
            uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: external,
            renamedFrom: renamedFrom, computationVersion: computationVersion)
    }

    /// The same entity where some references are one-to-one, which an entity by itself does not know.
    init(_ entity: EntityDescription, uniqueReferences: Set<String>) {
        let columns = entity.columns.map { column in
            var column = column
            if column.destination != nil { column.isUnique = uniqueReferences.contains(column.name) }
            return column
        }
        storage = Storage(
            name: entity.name, properties: entity.properties, columns: columns,
            uniquenessConstraints: entity.uniquenessConstraints, indexes: entity.indexes,
            external: entity.external, renamedFrom: entity.renamedFrom,
            computationVersion: entity.computationVersion)
    }

    /// The same entity with attributes that are given and not computed.
    func withoutComputations() -> EntityDescription {
        let properties = properties.map { property -> Property in
            guard case .attribute(var attribute) = property else { return property }
            attribute.isComputed = false
            return .attribute(attribute)
        }
        return EntityDescription(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: external,
            renamedFrom: renamedFrom, keepsOrder: keepsOrder)
    }

    /// The attributes, in the declared order.
    public var attributes: [AttributeDescription] {
        properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
    }

    /// The relationships, in the declared order.
    public var relationships: [RelationshipDescription] {
        properties.compactMap { if case .relationship(let relationship) = $0 { relationship } else { nil } }
    }

    /// The relationship of that name.
    package func relationship(named name: String) -> RelationshipDescription? {
        for case .relationship(let relationship) in properties where relationship.name == name { return relationship }
        return nil
    }

    /// The place of a column among ``columns``; `nil` when there is none of that name.
    public func columnIndex(_ name: String) -> Int? { storage.places[name] }
}

/// One column of an entity's rows: an attribute, or the identifier a to-one relationship holds.
public struct ColumnDescription: Sendable {
    /// The attribute's or relationship's name.
    public let name: String
    /// The type of the values; a relationship's is a whole number of 64 bits.
    public let type: AttributeType
    /// Whether null is allowed.
    public let isOptional: Bool
    /// The attribute; `nil` for a relationship.
    public let attribute: AttributeDescription?
    /// The entity a relationship leads to; `nil` for an attribute.
    public let destination: String?
    /// Whether no two rows may have the same value: a unique attribute, or the side of a one-to-one relationship that owns the foreign key.
    ///
    /// Of a one-to-one relationship only the model knows; see ``ManagedObjectModel/entities``.
    public internal(set) var isUnique: Bool
    /// What datasets call it; where they refer by several values, the names of all their columns.
    public let externalName: String
    /// By what datasets refer to a relationship's destination; `nil` where that is its identifier, and of attributes.
    public let externalKey: ExternalKey?
    /// A Boolean value that indicates whether the column is no property: the position of a row, called `_position`.
    public let isHidden: Bool

    /// The column of the positions of rows.
    ///
    /// No property's name begins with `_`.
    static let position = ColumnDescription()

    private init() {
        let attribute = AttributeDescription(
            "_position", .integer64, isOptional: true, isIndexed: true, isImmutable: true)
        (name, type, isOptional, isUnique) = (attribute.name, attribute.type, true, false)
        self.attribute = attribute
        (destination, externalName, externalKey, isHidden) = (nil, attribute.name, nil, true)
    }

    init?(_ property: EntityDescription.Property) {
        isHidden = false
        switch property {
        case .attribute(let attribute):
            name = attribute.name
            type = attribute.type
            isOptional = attribute.isOptional
            self.attribute = attribute
            destination = nil
            isUnique = attribute.isUnique
            externalName = attribute.externalName ?? attribute.name
            externalKey = nil
        case .relationship(let relationship):
            guard relationship.cardinality == .toOne, relationship.ownsForeignKey else { return nil }
            name = relationship.name
            type = .integer64
            isOptional = relationship.isOptional
            attribute = nil
            destination = relationship.destination
            isUnique = false
            externalKey = relationship.externalKey
            externalName =
                relationship.externalKey?.columns.joined(separator: ", ") ?? relationship.externalName
                ?? relationship.name
        }
    }

    /// Whether the store keeps an index: declared ones, and every relationship.
    public var isIndexed: Bool { attribute?.isIndexed ?? true }

    /// Whether the value never changes once the object was inserted.
    public var isImmutable: Bool { attribute?.isImmutable ?? false }
}
