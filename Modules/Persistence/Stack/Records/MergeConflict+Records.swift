import StrataCore

extension MergeConflict {
    /// Returns the three sides as records: the common base, the values of the save, and the values in the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for another entity's type, or
    ///   the error of the record's initializer.
    public func records<Record: PersistentRecord>(
        of type: Record.Type
    ) throws -> (base: Record?, mine: Record?, stored: Record?) {
        try records(of: Record.entity)
    }

    /// Returns the three sides as records of an entity.
    ///
    /// The sides are the common base, the values of the save, and the values in the store.
    ///
    /// - Throws: The errors of the method with a type.
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
