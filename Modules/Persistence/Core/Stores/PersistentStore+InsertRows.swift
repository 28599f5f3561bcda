extension PersistentStore {
    /// Inserts rows of one entity inside one transaction: all rows of the closure are stored or, if it throws, none.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - body: Inserts the rows.
    /// - Returns: The count of rows inserted.
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    @discardableResult
    public func insertRows(of entity: String, _ body: (any RowInserter) throws -> Void) throws -> Int {
        var counts = InsertCounts()
        try writeRows { writer in
            let inserter = try writer.inserter(of: entity, InsertOptions())
            try body(inserter)
            counts = inserter.counts
        }
        return counts.inserted
    }
}
