import StrataCore

/// A recorder of the owners whose counts of related objects the rows of a bulk write may change.
///
/// An owner is recorded only if the model limits the count of objects in its relationship.
final class BatchCounts {
    /// The relationships with a count rule that rows of one entity affect.
    struct Counted {
        /// The relationships of the entity itself that must be checked for each new row.
        fileprivate let relationships: [CountedOwners.RelationshipKey]
        /// The reference columns of the entity whose rows are counted by a count rule of the referenced row.
        fileprivate let columns: [(column: Int, key: CountedOwners.RelationshipKey)]
    }

    /// A reader of the store before the bulk write.
    private let stored: any StoreReader
    private var owners: CountedOwners
    /// The relationships with a count rule at both ends of a join table, by the join table's name.
    ///
    /// They are cached because there may be millions of join rows.
    private var ends: [String: (source: CountedOwners.RelationshipKey?, target: CountedOwners.RelationshipKey?)] = [:]

    init(_ model: ManagedObjectModel, before stored: any StoreReader) {
        owners = CountedOwners(model)
        self.stored = stored
    }

    /// Returns the relationships with a count rule that rows of an entity affect; `nil` if there are none.
    func counted(_ entity: EntityDescription) -> Counted? {
        let counted = Counted(relationships: owners.relationships(of: entity), columns: owners.columns(of: entity))
        return counted.relationships.isEmpty && counted.columns.isEmpty ? nil : counted
    }

    /// Records the owners that a written or skipped row affects.
    ///
    /// The check at the end ignores owners whose counts of objects did not change.
    func note(id: Int64, _ counted: Counted, value: (Int) -> StoredValue?) {
        for key in counted.relationships { owners.note(id, key) }
        for (column, key) in counted.columns { owners.note(value(column), key) }
    }

    /// Records the owners at both ends of a join row.
    func note(_ pair: JoinPair, of join: String) throws {
        let (source, target) = try ends(of: join)
        if let source { owners.note(pair.source, source) }
        if let target { owners.note(pair.target, target) }
    }

    private func ends(of join: String) throws -> (
        source: CountedOwners.RelationshipKey?, target: CountedOwners.RelationshipKey?
    ) {
        if let known = ends[join] { return known }
        let description = try stored.model.join(named: join)
        let found = (
            source: owners.key(description.sourceRelationship, of: description.sourceEntity),
            target: owners.key(description.targetRelationship, of: description.targetEntity)
        )
        ends[join] = found
        return found
    }

    /// Records the owners that updated rows referenced before the bulk write.
    private func note(_ updated: ChangedIdentifiers, of entity: EntityDescription, _ counted: Counted) throws {
        if counted.columns.isEmpty || updated.isEmpty { return }
        var condition: FetchCondition?
        if case .some(let ids) = updated { condition = .isIn(.property("id"), ids.sorted().map(StoredValue.integer)) }
        try stored.fetch(StoreRequest(entity.name, where: condition)) { row in
            for (column, key) in counted.columns { owners.note(try row.value(at: column), key) }
            return .next
        }
    }

    /// Checks the counts of related objects after the rows of the bulk write.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and a failure for each broken
    ///   rule.
    func check(_ inserters: [BatchInserter], _ rows: any RowWriter) throws {
        for inserter in inserters {
            if let counted = inserter.counted { try note(inserter.updated, of: inserter.entity, counted) }
        }
        if owners.isEmpty { return }
        // The check of references may reject rows with dangling references, which then no longer count.
        try rows.checkReferences()
        var failures: [ValidationFailure] = []
        try rows.read { reader in failures = try CountCheck(reader, before: stored).failures(owners) }
        if let first = failures.first { throw PersistenceError.broken(failures, first.entity) }
    }
}
