import StrataCore

extension ManagedRecord {
    /// Returns the record with a position in the file order.
    ///
    /// The record is unchanged if it already has a position, or if its entity has no file order.
    ///
    /// - Parameter position: A closure that returns the position.
    /// - Returns: The record.
    func positioned(_ position: () throws -> StoredValue) rethrows -> Self {
        guard var record = self as? DynamicRecord, let column = record.entity.description.positionColumn,
            record.values[column].isNull
        else { return self }
        record.write(fitting: try position(), column: column)
        return record as? Self ?? self
    }
}
