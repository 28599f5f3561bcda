/// The owners of counted relationships that the rows of a bulk write may change.
///
/// An owner is noted only if the model limits the count of objects in its relationship.
final class BatchCounts {
    /// The relationships that rows of one entity affect.
    struct Counted {
        /// The entity's relationships that are checked for a new row.
        fileprivate let relationships: [CountedOwners.RelationshipKey]
        /// The columns that refer to the owners for which a row counts.
        fileprivate let columns: [(column: Int, key: CountedOwners.RelationshipKey)]
    }

    /// The store before the bulk write.
    private let stored: any StoreReader
    private var owners: CountedOwners
    /// The relationships for which a join row counts, by the join table's name.
    ///
    /// They are cached because there may be millions of join rows.
    private var ends: [String: (source: CountedOwners.RelationshipKey?, target: CountedOwners.RelationshipKey?)] = [:]

    init(_ model: ManagedObjectModel, before stored: any StoreReader) {
        owners = CountedOwners(model)
        self.stored = stored
    }

    /// Returns the relationships that an entity's rows affect; `nil` if there are none, as in most models.
    func counted(_ entity: EntityDescription) -> Counted? {
        let counted = Counted(relationships: owners.relationships(of: entity), columns: owners.columns(of: entity))
        return counted.relationships.isEmpty && counted.columns.isEmpty ? nil : counted
    }

    /// Notes a row that was written or skipped.
    ///
    /// The check at the end ignores owners whose counts did not change.
    func note(id: Int64, _ counted: Counted, value: (Int) -> StoredValue?) {
        for key in counted.relationships { owners.note(id, key) }
        for (column, key) in counted.columns { owners.note(value(column), key) }
    }

    /// Notes a row of a join table.
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

    /// Notes the earlier owners of rows that now have other values.
    private func note(_ updated: ChangedIdentifiers, of entity: EntityDescription, _ counted: Counted) throws {
        if counted.columns.isEmpty || updated.isEmpty { return }
        var condition: FetchCondition?
        if case .some(let ids) = updated { condition = .isIn(.property("id"), ids.sorted().map(StoredValue.integer)) }
        try stored.fetch(StoreRequest(entity.name, where: condition)) { row in
            for (column, key) in counted.columns { owners.note(try row.value(at: column), key) }
            return .next
        }
    }

    /// Checks the counts that the rows leave, as far as they are written.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and the broken rules.
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
