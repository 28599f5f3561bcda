/// Whose relationships the rows of a bulk write may change, where it matters how many objects they lead to.
final class BatchCounts {
    /// What is noted of the rows of one entity.
    struct Counted {
        /// The entity's relationships that a new row is judged by.
        fileprivate let relationships: [CountedOwners.RelationshipKey]
        /// The columns that say for whom a row counts.
        fileprivate let columns: [(column: Int, key: CountedOwners.RelationshipKey)]
    }

    /// The store as it was before.
    private let stored: any StoreReader
    private var owners: CountedOwners
    /// The relationships that a pair counts for, by the join table's name: there may be millions of pairs.
    private var ends: [String: (source: CountedOwners.RelationshipKey?, target: CountedOwners.RelationshipKey?)] = [:]

    init(_ model: ManagedObjectModel, before stored: any StoreReader) {
        owners = CountedOwners(model)
        self.stored = stored
    }

    /// What is noted of an entity's rows; `nil` for nothing, as in most models.
    func counted(_ entity: EntityDescription) -> Counted? {
        let counted = Counted(relationships: owners.relationships(of: entity), columns: owners.columns(of: entity))
        return counted.relationships.isEmpty && counted.columns.isEmpty ? nil : counted
    }

    /// Notes a row that was written, or left out: who neither gains nor loses anything by it is not judged in the end.
    func note(id: Int64, _ counted: Counted, value: (Int) -> StoredValue?) {
        for key in counted.relationships { owners.note(id, key) }
        for (column, key) in counted.columns { owners.note(value(column), key) }
    }

    /// Notes a pair of a join table.
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

    /// Notes for whom rows counted that have other values now.
    private func note(_ updated: ChangedIdentifiers, of entity: EntityDescription, _ counted: Counted) throws {
        if counted.columns.isEmpty || updated.isEmpty { return }
        var condition: FetchCondition?
        if case .some(let ids) = updated { condition = .isIn(.property("id"), ids.sorted().map(StoredValue.integer)) }
        try stored.fetch(StoreRequest(entity.name, where: condition)) { row in
            for (column, key) in counted.columns { owners.note(try row.value(at: column), key) }
            return .next
        }
    }

    /// Checks what the rows leave, as far as they are written.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and what is broken.
    func check(_ inserters: [BatchInserter], _ rows: any RowWriter) throws {
        for inserter in inserters {
            if let counted = inserter.counted { try note(inserter.updated, of: inserter.entity, counted) }
        }
        if owners.isEmpty { return }
        // What leads nowhere may be left out by that, and counts no more.
        try rows.checkReferences()
        var failures: [ValidationFailure] = []
        try rows.read { reader in failures = try CountCheck(reader, before: stored).failures(owners) }
        if let first = failures.first { throw PersistenceError.broken(failures, first.entity) }
    }
}
