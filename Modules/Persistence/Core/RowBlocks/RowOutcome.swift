/// The outcome of one row of a block.
package enum RowOutcome: UInt8, Sendable {
    /// The row was rejected, or it exists already and is unchanged.
    case leftOut
    /// The row is new.
    case inserted
    /// The row existed and has new values.
    case updated

    /// Creates the outcome of the one row that was processed between two counts.
    package init(of counts: InsertCounts, since before: InsertCounts) {
        self =
            counts.inserted > before.inserted ? .inserted : counts.updated > before.updated ? .updated : .leftOut
    }
}

extension EntityDescription {
    /// Returns a Boolean value that indicates whether a column is an optional reference with unique values.
    ///
    /// A placeholder for an object that does not exist yet must not be confused with the same object in such a column.
    package func isExclusiveReference(_ column: Int) -> Bool {
        columns[column].destination != nil && columns[column].isOptional
            && uniqueKeys.contains { $0.columns.contains(column) }
    }
}
