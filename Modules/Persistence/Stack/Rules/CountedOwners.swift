import StrataCore

/// The objects whose relationships gained or lost others, where a ``CountRule`` says how many those may be.
struct CountedOwners {
    /// A relationship of an entity.
    struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    private let model: ManagedObjectModel
    private var ids: [Key: Set<Int64>] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
    }

    /// Notes an owner that gained or lost a row, by what the row's column refers to.
    mutating func note(_ value: StoredValue, column: Int, of entity: EntityDescription) {
        guard case .integer(let owner) = value, let destination = entity.columns[column].destination,
            let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
        else { return }
        note(CollectionOfOne(owner), relationship: inverse, of: destination)
    }

    /// Notes owners whose relationship changed.
    mutating func note(_ owners: some Sequence<Int64>, relationship: String, of entity: String) {
        guard isCounted(relationship, of: entity) else { return }
        ids[Key(entity: entity, relationship: relationship), default: []].formUnion(owners)
    }

    /// Whether it matters how many objects a relationship leads to.
    func isCounted(_ relationship: String, of entity: String) -> Bool {
        model[entity]?.relationship(named: relationship).flatMap(CountRule.init) != nil
    }

    /// Whom to judge by which rule: sorted by the names of entity and relationship, the owners by identifier.
    var rules: [(rule: CountRule, entity: String, owners: [Int64])] {
        ids.sorted { ($0.key.entity, $0.key.relationship) < ($1.key.entity, $1.key.relationship) }.compactMap {
            key, ids in
            guard let relationship = model[key.entity]?.relationship(named: key.relationship) else { return nil }
            return CountRule(relationship).map { ($0, key.entity, ids.sorted()) }
        }
    }
}
