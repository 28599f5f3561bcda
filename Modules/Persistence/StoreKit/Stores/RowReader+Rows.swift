public import StrataCore

extension RowReader {
    /// Returns the identifier of the row as a typed identifier.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the identifier is out of range.
    @inlinable
    public func id<ID: RecordIdentifier>(as type: ID.Type = ID.self) throws -> ID {
        guard let id = ID(rawValue: rawID) else {
            var error = PersistenceError(.corrupt, "a row has the identifier \(rawID), which is out of range")
            error.id = rawID
            throw error
        }
        return id
    }

    /// Returns a copy of the current row.
    package func stored(_ entity: EntityDescription) throws -> StoredRow {
        StoredRow(id: rawID, version: version, values: try entity.columns.indices.map { try value(at: $0) })
    }
}
