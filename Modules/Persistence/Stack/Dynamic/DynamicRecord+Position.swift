import StrataCore

extension ManagedRecord {
    /// Returns the record with a position in the file order of its entity.
    ///
    /// If the record already has a position, or if its entity has no file order, the same record is returned.
    ///
    /// - Parameter position: A closure that returns the position for a record without one.
    /// - Returns: The record with its position.
    func positioned(_ position: () throws -> StoredValue) rethrows -> Self {
        guard var record = self as? DynamicRecord, let column = record.entity.description.positionColumn,
            record.values[column].isNull
        else { return self }
        record.write(fitting: try position(), column: column)
        return record as? Self ?? self
    }
}
