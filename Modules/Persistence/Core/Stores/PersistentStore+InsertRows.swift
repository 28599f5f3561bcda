extension PersistentStore {
    /// Runs `body` with an inserter of rows of one entity inside one transaction: all its rows are stored or, when it throws, none.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - body: Gives the rows.
    /// - Returns: The number of rows inserted.
    /// - Throws: What `body` throws, or ``PersistenceError``.
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
