public import StrataCore

/// What the records of a dataset consist of, and what becomes of it in a store.
///
/// A store's rows refer by identifiers. Files may refer by keys, and may have in a column what a store keeps as pairs: the records are then
/// rows of an entity of their own, ``external``, checked like any other's, whose columns are those of the file.
struct DatasetShape {
    /// A to-one relationship to which files refer by a key.
    struct KeyedReference {
        /// The place among the entity's columns.
        let column: Int
        let key: ReferenceKey
        /// The places of the key's values among the external columns.
        let sources: [Int]
        /// Whether no two rows may refer to the same object, and may refer to none.
        let isExclusive: Bool
    }

    /// What is stored: an entity, or the pairs of a join table as rows with their ends in the columns `source` and `target`.
    let entity: EntityDescription
    /// The columns as files have them.
    let external: EntityDescription
    let references: [KeyedReference]
    let lists: [ListedPairs]
    /// For each column of the entity the external column that has its values; `nil` where it is a keyed reference.
    let sources: [Int?]

    /// Whether records may name records of the same dataset.
    var refersToItself: Bool {
        references.contains { $0.key.entity.name == entity.name }
            || lists.contains { $0.key != nil && $0.destination == entity.name }
    }

    /// Whether records are rows as they are.
    var isPlain: Bool { references.isEmpty && lists.isEmpty }

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

    /// The records' attributes that make up a property: itself, or the values of the key by which it refers.
    func externalAttributes(of property: String) -> [String] {
        guard let reference = references.first(where: { entity.columns[$0.column].name == property }) else {
            return [property]
        }
        return reference.sources.map { external.columns[$0].name }
    }

    /// The rows of a block of records, with their keyed references not set.
    func rows(of records: RowBlock) -> RowBlock { RowBlock(records, as: entity, columns: sources) }
}

extension ManagedObjectModel {
    /// The entities whose objects the records of a dataset name: by references, in lists, or as the ends of pairs.
    ///
    /// - Parameter dataset: The name of an entity, or of a many-to-many relationship's join table.
    /// - Returns: Their names; empty for a name that is neither.
    /// - Complexity: O(*n*) in the properties of the entity.
    public func datasetDestinations(of dataset: String) -> Set<String> {
        if let join = joins.first(where: { $0.name == dataset }) { return [join.sourceEntity, join.targetEntity] }
        guard let entity = self[dataset] else { return [] }
        let lists = DatasetShape(entity, in: self).lists.map(\.destination)
        return Set(entity.columns.compactMap(\.destination) + lists)
    }

    /// The columns of a dataset of an entity, as files call them, in the order in which they are written.
    ///
    /// - Complexity: O(*n*) in the columns of the entity and of those that keys lead through.
    public func datasetColumns(of entity: EntityDescription) -> [String] { externalColumns(of: entity).map(\.name) }
}
