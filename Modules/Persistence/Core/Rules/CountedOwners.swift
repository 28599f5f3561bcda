/// The owners whose relationships gained or lost objects and are subject to a ``CountRule``.
///
/// Its memory is limited for any count of owners. If an ``IdentifierSet`` is full, it becomes incomplete, and every row
/// of the entity may be an owner.
package struct CountedOwners {
    /// A relationship that is subject to a count rule.
    package struct RelationshipKey: Hashable {
        /// The index among the rules.
        fileprivate let index: Int
    }

    /// The owners that are subject to a rule.
    package struct Owners {
        /// The rule.
        package let rule: CountRule
        /// The owners' entity.
        package let entity: String
        /// The identifiers of the owners; if the set is incomplete, every row of the entity may be an owner.
        package fileprivate(set) var ids = IdentifierSet(isComplete: true)
    }

    /// Every rule of the model, sorted by the names of entity and relationship.
    private var counted: [Owners]

    package init(_ model: ManagedObjectModel) {
        counted = model.entities.flatMap { entity in
            entity.relationships.compactMap(CountRule.init).map { Owners(rule: $0, entity: entity.name) }
        }.sorted { ($0.entity, $0.rule.relationship.name) < ($1.entity, $1.rule.relationship.name) }
    }

    /// A Boolean value that indicates whether there are no owners to validate.
    package var isEmpty: Bool { counted.allSatisfy { $0.ids.isEmpty } }

    /// The rules with owners to validate, sorted by the names of entity and relationship.
    package var rules: [Owners] { counted.filter { !$0.ids.isEmpty } }

    // MARK: Relationships with a rule

    /// Returns the relationships of an entity that have a count rule; each new object is validated by them.
    package func relationships(of entity: EntityDescription) -> [RelationshipKey] {
        entity.relationships.compactMap { key($0.name, of: entity.name) }
    }

    /// Returns the columns of an entity whose references count toward a rule of their targets.
    package func columns(of entity: EntityDescription) -> [(column: Int, key: RelationshipKey)] {
        entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination,
                let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
            else { return nil }
            return key(inverse, of: destination).map { (column, $0) }
        }
    }

    /// Returns the key of a relationship; `nil` if it has no count rule.
    package func key(_ relationship: String, of entity: String) -> RelationshipKey? {
        counted.firstIndex { $0.entity == entity && $0.rule.relationship.name == relationship }.map(
            RelationshipKey.init)
    }

    // MARK: Owners

    /// Records an owner whose relationship changed; a number outside of the identifier range is ignored.
    package mutating func note(_ owner: Int64, _ key: RelationshipKey) {
        if identifierRange.contains(owner) { counted[key.index].ids.insert(owner) }
    }

    /// Records owners whose relationship changed.
    package mutating func note(_ owners: some Sequence<Int64>, _ key: RelationshipKey) {
        for owner in owners { note(owner, key) }
    }

    /// Records the owner that the value of a row's column references.
    package mutating func note(_ value: StoredValue?, _ key: RelationshipKey) {
        if case .integer(let owner)? = value { note(owner, key) }
    }
}
