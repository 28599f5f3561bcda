import StrataCore

extension MergeConflict {
    /// The three sides as records: what both started from, mine, and what the store has.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for another entity's type, or what the record's initialiser throws.
    public func records<Record: PersistentRecord>(
        of type: Record.Type
    ) throws -> (base: Record?, mine: Record?, stored: Record?) {
        try records(of: Record.entity)
    }

    /// The three sides as records of an entity: what both started from, mine, and what the store has.
    ///
    /// - Throws: As the call with a type.
    public func records<Record: ManagedRecord>(
        of recordEntity: RecordEntity<Record>
    ) throws -> (base: Record?, mine: Record?, stored: Record?) {
        guard recordEntity.name == entity else {
            throw PersistenceError(.invalidRequest, "the conflict is about a \(entity)", entity: recordEntity.name)
        }
        func record(_ values: [StoredValue]?, _ id: Int64) throws -> Record? {
            try values.map { try recordEntity.record(from: StoredRow(id: id, values: $0)) }
        }
        return (try record(base, id), try record(mine, id), try record(stored, owner ?? id))
    }
}
