package import StrataCore

/// The outcome of storing one row of a block.
package enum RowOutcome: UInt8, Sendable {
    /// The row was rejected, or it was skipped because it exists already.
    case leftOut
    /// The row was inserted as a new row.
    case inserted
    /// The row existed already and got new values.
    case updated

    /// Creates the outcome of the single row that was processed between two states of the counts.
    package init(of counts: InsertCounts, since before: InsertCounts) {
        self =
            counts.inserted > before.inserted ? .inserted : counts.updated > before.updated ? .updated : .leftOut
    }
}

extension EntityDescription {
    /// Returns a Boolean value that indicates whether a column is an optional reference whose values must be unique.
    ///
    /// In such a column, a placeholder for an object that does not exist yet must not be confused with the object
    /// itself.
    package func isExclusiveReference(_ column: Int) -> Bool {
        columns[column].destination != nil && columns[column].isOptional
            && uniqueKeys.contains { $0.columns.contains(column) }
    }
}
