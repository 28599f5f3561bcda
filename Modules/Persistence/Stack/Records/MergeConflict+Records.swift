import StrataCore

extension MergeConflict {
    /// Returns the three versions of the object in conflict as records: as last read, as this save would store it, and
    /// as stored.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the conflict is about
    ///   another entity than that of `type`, or the error of the record's initializer.
    public func records<Record: PersistentRecord>(
        of type: Record.Type
    ) throws -> (base: Record?, mine: Record?, stored: Record?) {
        try records(of: Record.entity)
    }

    /// Returns the three versions of the object in conflict as records of an entity.
    ///
    /// These are the object as last read, as this save would store it, and as stored.
    ///
    /// - Throws: The errors of ``records(of:)`` with a type.
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
