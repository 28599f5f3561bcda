/// One entity of a model: its name, attributes and relationships, in declaration order.
///
/// ```swift
/// EntityDescription(
///     "Customer",
///     [
///         .attribute(AttributeDescription("name", .string)),
///         .attribute(AttributeDescription("fax", .string, isOptional: true)),
///     ])
/// ```
///
/// Every object of an entity has an identifier from 1 to 2^53 - 1 that is not a property; requests refer to it as `id`.
/// A row of the entity also has a version, and one value for each of its ``columns``. Attributes and to-one
/// relationships with a foreign key have a column. To-many relationships have none: their references are in the rows of
/// the destination or in a join table.
///
/// A description alone is not validated. It is validated as a part of a ``ManagedObjectModel``, which also finds out
/// which relationships are one-to-one. Copies share one storage and are cheap.
///
/// ## Topics
///
/// ### Creating an entity
///
/// - ``init(_:_:uniquenessConstraints:indexes:external:renamedFrom:keepsOrder:computationVersion:)``
/// - ``Property``
///
/// ### Properties
///
/// - ``name``
/// - ``properties``
/// - ``attributes``
/// - ``relationships``
///
/// ### Columns of rows
///
/// - ``columns``
/// - ``columnIndex(_:)``
/// - ``requiredColumns``
/// - ``ColumnDescription``
///
/// ### Keys and indexes
///
/// - ``uniquenessConstraints``
/// - ``uniqueKeys``
/// - ``indexes``
/// - ``UniqueKey``
///
/// ### Order of rows
///
/// - ``keepsOrder``
/// - ``positionColumn``
///
/// ### Later versions and datasets
///
/// - ``renamedFrom``
/// - ``computationVersion``
/// - ``external``
public struct EntityDescription: Sendable {
    /// A property of an entity: an attribute or a relationship.
    public enum Property: Sendable {
        /// A property that contains a value.
        case attribute(AttributeDescription)
        /// A property that references other objects.
        case relationship(RelationshipDescription)

        /// The property's name.
        public var name: String {
            switch self {
            case .attribute(let attribute): attribute.name
            case .relationship(let relationship): relationship.name
            }
        }
    }

    /// The contents of an entity description, stored by reference.
    ///
    /// Every request passes entities as arguments. A copy of all fields would cost more than the reads of the request.
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
            // A constraint with an unknown name never passes the model check.
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

    /// Returns a Boolean value that indicates whether both values share one stored description, and not only equal
    /// contents.
    package func isSame(as other: EntityDescription) -> Bool { storage === other.storage }

    /// The name of the entity, unique within its model; case is ignored.
    @inlinable public var name: String { storage.name }

    /// All properties of the entity, in declaration order.
    @inlinable public var properties: [Property] { storage.properties }

    /// The columns of the entity's rows except the identifier: attributes and stored to-one relationships, in
    /// declaration order.
    ///
    /// If ``keepsOrder`` is `true`, there is also a hidden last column that is not a property.
    ///
    /// The index of a column in this array is its index in rows, in ``RowBlock`` and in ``ResolvedOperand``. It differs
    /// from the index in ``properties`` if the entity has a relationship without a column.
    @inlinable public var columns: [ColumnDescription] { storage.columns }

    /// A Boolean value that indicates whether the entity's rows retain the order that they had in their file.
    ///
    /// That order can differ from the order of the identifiers. The hidden column at ``positionColumn`` stores it.
    /// Exports write rows in this order. New rows are last.
    public var keepsOrder: Bool { storage.positionColumn != nil }

    /// The index in ``columns`` of the hidden column `_position`; `nil` if ``keepsOrder`` is `false`.
    ///
    /// The positions in this column are whole numbers that increase in row order. ``RowDefaults`` assigns the positions
    /// of new rows. A row with null in this column is first.
    public var positionColumn: Int? { storage.positionColumn }

    /// The range of indexes in ``columns`` that are properties: all except the hidden column.
    package var shownColumns: Range<Int> { 0..<(storage.positionColumn ?? columns.count) }

    /// Returns the index of the column of a named property; `nil` if the property does not exist or has no column.
    package func shownColumnIndex(_ name: String) -> Int? {
        columnIndex(name).flatMap { $0 == positionColumn ? nil : $0 }
    }

    /// The attribute types of ``columns``, stored separately because a column's description is a large value.
    package var columnTypes: [AttributeType] { storage.columnTypes }

    /// A Boolean value for each of ``columns`` that indicates whether the column permits null.
    package var columnsAllowNull: [Bool] { storage.columnsAllowNull }

    /// The type and nullability of each of ``columns``.
    package var forms: [ColumnForm] { storage.forms }

    /// The uniqueness constraints of the entity: lists of properties whose values together must differ between rows.
    ///
    /// A list names two or more attributes or to-one relationships with a column. A row that has null in one of them is
    /// exempt. A single unique attribute is declared with ``AttributeDescription/isUnique``.
    public var uniquenessConstraints: [[String]] { storage.uniquenessConstraints }

    /// The indexes of the entity over several columns; each is a list of property names in sort order.
    ///
    /// A list names two or more attributes or to-one relationships with a column. Each uniqueness constraint is also an
    /// index, in the order of its names.
    public var indexes: [[String]] { storage.indexes }

    /// The names of the entity and its identifiers in datasets.
    public var external: ExternalForm { storage.external }

    /// The version of the code with which a record type computes values of the entity; `nil` if it computes none.
    ///
    /// A store records the number. If a store is opened with a model that has a different number, the values of all
    /// rows are computed again.
    ///
    /// Raise the number when the code that computes the values changes. Otherwise the store keeps the values that the
    /// earlier code computed.
    public var computationVersion: Int? { storage.computationVersion }

    /// The entity's names in earlier versions of the model.
    ///
    /// If the store's model has one of these names and lacks the current name, a migration renames the entity instead
    /// of deleting its rows. Keep a name as long as stores of that version exist.
    public var renamedFrom: [String] { storage.renamedFrom }

    /// Creates the description of an entity.
    ///
    /// - Parameters:
    ///   - name: The name of the entity, unique within the model; case is ignored.
    ///   - properties: The attributes and relationships, in column order.
    ///   - uniquenessConstraints: See ``uniquenessConstraints``; validated when a model is created.
    ///   - indexes: See ``indexes``; validated when a model is created.
    ///   - external: The names of the entity and its identifiers in datasets.
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

    /// Creates a copy of an entity in which some reference columns are unique, because their relationships are
    /// one-to-one.
    ///
    /// The model finds these relationships from both of their sides; an entity alone cannot.
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

    /// Returns a copy of the entity in which no attribute is computed.
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

    /// The attributes of the entity, in declaration order.
    public var attributes: [AttributeDescription] {
        properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
    }

    /// The relationships of the entity, in declaration order.
    public var relationships: [RelationshipDescription] {
        properties.compactMap { if case .relationship(let relationship) = $0 { relationship } else { nil } }
    }

    /// Returns the relationship of the entity with a name; `nil` if there is none.
    package func relationship(named name: String) -> RelationshipDescription? {
        for case .relationship(let relationship) in properties where relationship.name == name { return relationship }
        return nil
    }

    /// Returns the index in ``columns`` of the column with a name; `nil` if there is none.
    ///
    /// - Parameter name: The name of an attribute, or of a to-one relationship with a column; case is significant.
    /// - Returns: The index; `nil` for `id`, for a relationship without a column, and for an unknown name.
    /// - Complexity: O(1).
    public func columnIndex(_ name: String) -> Int? { storage.places[name] }
}

/// A column of an entity's rows: an attribute, or the identifier that a to-one relationship stores.
///
/// A model derives the columns from the properties of an entity; see ``EntityDescription/columns``. Code that reads or
/// writes rows uses columns, and need not distinguish attributes from references: a reference is an integer.
public struct ColumnDescription: Sendable {
    /// The name of the column's attribute or relationship.
    public let name: String
    /// The type of the column's values; for a relationship, it is ``AttributeType/integer64``.
    public let type: AttributeType
    /// A Boolean value that indicates whether the column permits null.
    public let isOptional: Bool
    /// The attribute of the column; `nil` for a relationship.
    public let attribute: AttributeDescription?
    /// The name of the entity that the column's relationship references; `nil` for an attribute.
    public let destination: String?
    /// A Boolean value that indicates whether two rows must not have the same value in the column.
    ///
    /// It is `true` for a unique attribute and for the reference column of a one-to-one relationship. One-to-one
    /// relationships are known only in the entities of a model; see ``ManagedObjectModel/entities``.
    public internal(set) var isUnique: Bool
    /// The name of the column in datasets.
    ///
    /// For a reference by a key of several values, it contains the names of all their columns.
    public let externalName: String
    /// The key by which datasets identify the row that the column references.
    ///
    /// It is `nil` if the column is an attribute, or if datasets contain the row's identifier.
    public let externalKey: ExternalKey?
    /// A Boolean value that indicates whether the column is the hidden column `_position`, which is not a property.
    public let isHidden: Bool

    /// The hidden column `_position` with the positions of rows.
    ///
    /// The name of a property never begins with `_`.
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

    /// A Boolean value that indicates whether a store maintains an index over the column.
    ///
    /// It is `true` for every reference, and for an attribute that the model declares as indexed.
    public var isIndexed: Bool { attribute?.isIndexed ?? true }

    /// A Boolean value that indicates whether the column's value cannot be changed after the object was inserted.
    public var isImmutable: Bool { attribute?.isImmutable ?? false }

    /// A Boolean value that indicates whether the history of a store keeps the column's value of a deleted row.
    package var isPreservedAfterDeletion: Bool { attribute?.isPreservedAfterDeletion ?? false }
}

extension EntityDescription {
    /// The indexes of the columns that every new row must have: mandatory columns without a default.
    public var requiredColumns: [Int] {
        columns.indices.filter { !columns[$0].isOptional && columns[$0].attribute?.defaultValue == nil }
    }

    /// The indexes of the columns whose values a record type computes.
    package var computedColumns: [Int] { columns.indices.filter { columns[$0].attribute?.isComputed == true } }
}
