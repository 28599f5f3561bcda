import StrataCore

extension ManagedRecord {
    /// Returns the record with a position in the order of files, unless it has one or its entity keeps none.
    ///
    /// - Parameter position: Gives the position.
    /// - Returns: The record.
    func positioned(_ position: () throws -> StoredValue) rethrows -> Self {
        guard var record = self as? DynamicRecord, let column = record.entity.description.positionColumn,
            record.values[column].isNull
        else { return self }
        record.write(fitting: try position(), column: column)
        return record as? Self ?? self
    }
}
