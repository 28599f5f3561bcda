/// The objects whose relationships gained or lost others, where a ``CountRule`` says how many those may be.
package struct CountedOwners {
    /// A relationship of an entity.
    package struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    private let model: ManagedObjectModel
    private var ids: [Key: Set<Int64>] = [:]

    package init(_ model: ManagedObjectModel) {
        self.model = model
    }

    /// Whether nobody is to be judged.
    package var isEmpty: Bool { ids.isEmpty }

    // MARK: What counts

    /// The relationships of an entity whose numbers matter: a new object is judged by them.
    package func relationships(of entity: EntityDescription) -> [Key] {
        entity.relationships.compactMap { key($0.name, of: entity.name) }
    }

    /// The columns of an entity that say for whom its rows count, where their number matters.
    package func columns(of entity: EntityDescription) -> [(column: Int, key: Key)] {
        entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination,
                let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
            else { return nil }
            return key(inverse, of: destination).map { (column, $0) }
        }
    }

    /// A relationship; `nil` where its number does not matter.
    package func key(_ relationship: String, of entity: String) -> Key? {
        guard let description = model[entity]?.relationship(named: relationship), CountRule(description) != nil else {
            return nil
        }
        return Key(entity: entity, relationship: relationship)
    }

    // MARK: Who is judged

    /// Notes an owner whose relationship changed.
    package mutating func note(_ owner: Int64, _ key: Key) { ids[key, default: []].insert(owner) }

    /// Notes owners whose relationship changed.
    package mutating func note(_ owners: some Sequence<Int64>, _ key: Key) { ids[key, default: []].formUnion(owners) }

    /// Notes an owner by what a row's column refers to.
    package mutating func note(_ value: StoredValue?, _ key: Key) {
        if case .integer(let owner)? = value { note(owner, key) }
    }

    /// Whom to judge by which rule: sorted by the names of entity and relationship, the owners by identifier.
    package var rules: [(rule: CountRule, entity: String, owners: [Int64])] {
        ids.sorted { ($0.key.entity, $0.key.relationship) < ($1.key.entity, $1.key.relationship) }.compactMap {
            key, ids in
            guard let relationship = model[key.entity]?.relationship(named: key.relationship) else { return nil }
            return CountRule(relationship).map { ($0, key.entity, ids.sorted()) }
        }
    }
}
