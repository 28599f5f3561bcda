/// The objects whose relationships gained or lost others, where a ``CountRule`` says how many those may be.
///
/// Bounded, however many there are: beyond what an ``IdentifierSet`` has room for it is everybody.
package struct CountedOwners {
    /// A relationship whose number matters.
    package struct RelationshipKey: Hashable {
        /// Its place among the rules.
        fileprivate let index: Int
    }

    /// Whom to judge by a rule.
    package struct Owners {
        /// The rule.
        package let rule: CountRule
        /// The owners' entity.
        package let entity: String
        /// The owners; anybody of the entity may be one where it is not complete.
        package fileprivate(set) var ids = IdentifierSet(isComplete: true)
    }

    /// Every rule of the model, by the names of entity and relationship.
    private var counted: [Owners]

    package init(_ model: ManagedObjectModel) {
        counted = model.entities.flatMap { entity in
            entity.relationships.compactMap(CountRule.init).map { Owners(rule: $0, entity: entity.name) }
        }.sorted { ($0.entity, $0.rule.relationship.name) < ($1.entity, $1.rule.relationship.name) }
    }

    /// Whether nobody is to be judged.
    package var isEmpty: Bool { counted.allSatisfy { $0.ids.isEmpty } }

    /// Whom to judge by which rule, where there is anybody: by the names of entity and relationship.
    package var rules: [Owners] { counted.filter { !$0.ids.isEmpty } }

    // MARK: What counts

    /// The relationships of an entity whose numbers matter: a new object is judged by them.
    package func relationships(of entity: EntityDescription) -> [RelationshipKey] {
        entity.relationships.compactMap { key($0.name, of: entity.name) }
    }

    /// The columns of an entity that say for whom its rows count, where their number matters.
    package func columns(of entity: EntityDescription) -> [(column: Int, key: RelationshipKey)] {
        entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination,
                let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
            else { return nil }
            return key(inverse, of: destination).map { (column, $0) }
        }
    }

    /// A relationship; `nil` where its number does not matter.
    package func key(_ relationship: String, of entity: String) -> RelationshipKey? {
        counted.firstIndex { $0.entity == entity && $0.rule.relationship.name == relationship }.map(
            RelationshipKey.init)
    }

    // MARK: Who is judged

    /// Notes an owner whose relationship changed; what is no identifier is nobody's.
    package mutating func note(_ owner: Int64, _ key: RelationshipKey) {
        if identifierRange.contains(owner) { counted[key.index].ids.insert(owner) }
    }

    /// Notes owners whose relationship changed.
    package mutating func note(_ owners: some Sequence<Int64>, _ key: RelationshipKey) {
        for owner in owners { note(owner, key) }
    }

    /// Notes an owner by what a row's column refers to.
    package mutating func note(_ value: StoredValue?, _ key: RelationshipKey) {
        if case .integer(let owner)? = value { note(owner, key) }
    }
}
