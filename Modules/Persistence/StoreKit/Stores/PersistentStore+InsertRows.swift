import StrataCore

extension PersistentStore {
    /// Inserts rows of one entity inside one transaction: if `body` throws an error, none of them is stored.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - body: A closure that inserts the rows.
    /// - Returns: The count of inserted rows.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the rows cannot be stored.
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
