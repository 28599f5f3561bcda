package import StrataCore

/// The owners of relationships with a ``CountRule`` that gained or lost objects and must be checked.
///
/// Its memory is limited for any count of owners. If an ``IdentifierSet`` is full, it becomes incomplete, and every row
/// of the entity must be checked as a possible owner.
package struct CountedOwners {
    /// A relationship that has a count rule.
    package struct RelationshipKey: Hashable {
        /// The index of the relationship among all relationships with a count rule.
        fileprivate let index: Int
    }

    /// The owners of one relationship that must be checked by its count rule.
    package struct Owners {
        /// The count rule of the relationship.
        package let rule: CountRule
        /// The name of the owners' entity.
        package let entity: String
        /// The identifiers of the owners; if the set is incomplete, every row of the entity may be an owner.
        package fileprivate(set) var ids = IdentifierSet(isComplete: true)
    }

    /// The owners for each count rule of the model, sorted by the names of the entity and the relationship.
    private var counted: [Owners]

    package init(_ model: ManagedObjectModel) {
        counted = model.entities.flatMap { entity in
            entity.relationships.compactMap(CountRule.init).map { Owners(rule: $0, entity: entity.name) }
        }.sorted { ($0.entity, $0.rule.relationship.name) < ($1.entity, $1.rule.relationship.name) }
    }

    /// A Boolean value that indicates whether no owner must be checked.
    package var isEmpty: Bool { counted.allSatisfy { $0.ids.isEmpty } }

    /// The count rules whose owners must be checked, sorted by the names of the entity and the relationship.
    package var rules: [Owners] { counted.filter { !$0.ids.isEmpty } }

    // MARK: Relationships with a rule

    /// Returns the relationships of an entity that have a count rule; each new row of the entity must be checked by
    /// them.
    package func relationships(of entity: EntityDescription) -> [RelationshipKey] {
        entity.relationships.compactMap { key($0.name, of: entity.name) }
    }

    /// Returns the reference columns of an entity whose rows are counted by a count rule of the referenced row.
    package func columns(of entity: EntityDescription) -> [(column: Int, key: RelationshipKey)] {
        entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination,
                let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
            else { return nil }
            return key(inverse, of: destination).map { (column, $0) }
        }
    }

    /// Returns the key of a relationship that has a count rule; `nil` if it has none.
    package func key(_ relationship: String, of entity: String) -> RelationshipKey? {
        counted.firstIndex { $0.entity == entity && $0.rule.relationship.name == relationship }.map(
            RelationshipKey.init)
    }

    // MARK: Owners

    /// Records an owner whose relationship gained or lost objects; a number outside of the identifier range is ignored.
    package mutating func note(_ owner: Int64, _ key: RelationshipKey) {
        if identifierRange.contains(owner) { counted[key.index].ids.insert(owner) }
    }

    /// Records owners whose relationship gained or lost objects.
    package mutating func note(_ owners: some Sequence<Int64>, _ key: RelationshipKey) {
        for owner in owners { note(owner, key) }
    }

    /// Records the owner that a reference column's value identifies; null and `nil` are ignored.
    package mutating func note(_ value: StoredValue?, _ key: RelationshipKey) {
        if case .integer(let owner)? = value { note(owner, key) }
    }
}
