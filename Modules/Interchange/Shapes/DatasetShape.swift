public import StrataCore
import StrataStoreKit

/// The columns of the records in a dataset's files, and their mapping to the columns of stored rows.
///
/// Stored rows reference other rows by identifiers. Files may reference rows by keys, and may contain lists of
/// references that a store keeps as join rows. The records are then rows of a separate entity, ``external``, whose
/// columns are those of the file. They are validated like the rows of any entity.
///
/// If files reference only by identifiers and have no lists, ``external`` is the stored entity itself, and records are
/// stored without conversion.
struct DatasetShape {
    /// A to-one relationship that files reference by a key.
    ///
    /// If one of the key's values is null, the reference is null.
    struct KeyedReference {
        /// The index of the reference's column among the columns of the stored entity.
        let column: Int
        let key: ReferenceKey
        /// The indices of the columns with the key's values among the columns of ``external``.
        let sources: [Int]
        /// A Boolean value that indicates whether the reference is optional and part of a unique key.
        let isExclusive: Bool
    }

    /// The entity of the stored rows, or an entity for join rows with the columns `source` and `target`.
    let entity: EntityDescription
    /// The entity of the records, whose columns are those of the files.
    let external: EntityDescription
    let references: [KeyedReference]
    let lists: [ListedPairs]
    /// For each column of the stored entity, the index of its column in ``external``; `nil` for a keyed reference.
    let sources: [Int?]

    /// A Boolean value that indicates whether records of the dataset may reference other records of the dataset.
    var refersToItself: Bool {
        references.contains { $0.key.entity.name == entity.name }
            || lists.contains { $0.key != nil && $0.destination == entity.name }
    }

    /// A Boolean value that indicates whether records have the same columns as the stored rows.
    var isPlain: Bool { references.isEmpty && lists.isEmpty }

    /// - Complexity: O(*n*) in the columns of the entity and of the entities on the paths of keys.
    init(_ entity: EntityDescription, in model: ManagedObjectModel) {
        self.entity = entity
        let columns = model.externalColumns(of: entity)
        let own = Dictionary(entity.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var properties: [EntityDescription.Property] = []
        var sources = [Int?](repeating: nil, count: entity.columns.count)
        var values: [Int: [Int: Int]] = [:]
        var lists: [ListedPairs] = []
        for column in columns {
            switch column.content {
            case .identifier: continue
            case .column(let index):
                sources[index] = properties.count
                let name = entity.columns[index].name
                properties.append(own[name] ?? .attribute(AttributeDescription(name, .string)))
            case .key(let index, let value):
                values[index, default: [:]][value] = properties.count
                let count = entity.columns[index].externalKey?.columns.count ?? 1
                properties.append(
                    .attribute(
                        AttributeDescription(
                            count == 1 ? entity.columns[index].name : column.path, column.type,
                            isOptional: entity.columns[index].isOptional, externalName: column.name)))
            case .list(let name):
                guard let listed = ListedPairs(name, of: entity, in: model, source: properties.count) else { continue }
                lists.append(listed)
                properties.append(
                    .attribute(AttributeDescription(name, .string, isOptional: true, externalName: column.name)))
            }
        }
        references = entity.columns.indices.compactMap { index in
            guard let places = values[index], let key = model.referenceKey(ofColumn: index, in: entity) else {
                return nil
            }
            return KeyedReference(
                column: index, key: key, sources: (0..<places.count).compactMap { places[$0] },
                isExclusive: entity.isExclusiveReference(index))
        }
        self.lists = lists
        self.sources = sources
        external =
            references.isEmpty && lists.isEmpty
            ? entity : EntityDescription(entity.name, properties, external: entity.external)
    }

    /// Returns the records' attributes that form a property: itself, or the values of the key by which it references.
    func externalAttributes(of property: String) -> [String] {
        guard let reference = references.first(where: { entity.columns[$0.column].name == property }) else {
            return [property]
        }
        return reference.sources.map { external.columns[$0].name }
    }

    /// Returns the rows of a block of records, without values for the keyed references.
    func rows(of records: RowBlock) -> RowBlock { RowBlock(records, as: entity, columns: sources) }
}

extension ManagedObjectModel {
    /// Returns the entities that the records of a dataset reference, also in lists or as the ends of join rows.
    ///
    /// Use it to order several imports, or to find the files that an import requires. A single import orders its files
    /// itself.
    ///
    /// - Parameter dataset: The name of an entity, or of a many-to-many relationship's join table.
    /// - Returns: The names of the entities; empty for an unknown dataset.
    /// - Complexity: O(*n*) in the properties of the entity.
    public func datasetDestinations(of dataset: String) -> Set<String> {
        if let join = joins.first(where: { $0.name == dataset }) { return [join.sourceEntity, join.targetEntity] }
        guard let entity = self[dataset] else { return [] }
        let lists = DatasetShape(entity, in: self).lists.map(\.destination)
        return Set(entity.columns.compactMap(\.destination) + lists)
    }

    /// Returns the columns of an entity's dataset, with the names of files, in the order in which they are written.
    ///
    /// The first column is the identifier, unless the model declares that files have none. A keyed reference has one
    /// column for each value of its key.
    ///
    /// - Parameter entity: An entity of the model.
    /// - Returns: The names in the header of an exported file without selected columns.
    /// - Complexity: O(*n*) in the columns of the entity and of the entities on the paths of keys.
    public func datasetColumns(of entity: EntityDescription) -> [String] { externalColumns(of: entity).map(\.name) }
}
