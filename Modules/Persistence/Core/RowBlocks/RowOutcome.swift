/// What became of one row of a block.
package enum RowOutcome: UInt8, Sendable {
    /// It was left out: refused, or there already and left as it is.
    case leftOut
    /// It is new.
    case inserted
    /// It was there and has new values.
    case updated

    /// What became of the one row that was dealt with between two counts.
    package init(of counts: InsertCounts, since before: InsertCounts) {
        self =
            counts.inserted > before.inserted ? .inserted : counts.updated > before.updated ? .updated : .leftOut
    }
}

extension EntityDescription {
    /// Whether a column is a reference that may be null and that no two rows may have alike: what stands for an object that is not there yet must not be
    /// taken for the same object then.
    package func isExclusiveReference(_ column: Int) -> Bool {
        columns[column].destination != nil && columns[column].isOptional
            && uniqueKeys.contains { $0.columns.contains(column) }
    }
}
