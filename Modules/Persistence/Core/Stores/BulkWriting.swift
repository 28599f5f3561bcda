/// What takes many rows in one transaction: a container, which tells its contexts, or a store by itself.
///
/// Whoever brings rows in, an importer or a generator, needs no more of a stack than this.
public protocol BulkWriting: AnyObject {
    /// The model of the rows.
    var model: ManagedObjectModel { get }

    /// Writes many rows of several entities: one transaction, in the store, validated by the same rules as a save.
    ///
    /// Rows of all entities come in any order; references, and how many objects relationships lead to, are checked at the end. `body` may read the
    /// store, not write it otherwise.
    ///
    /// - Parameter body: Gives the rows.
    /// - Returns: What became of the rows of each entity.
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then.
    @discardableResult
    func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts]

    /// The text that was kept in the store under a key, if there is one; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    func metadata(forKey key: String) throws -> String?
}

extension PersistentStore {
    /// Writes many rows of several entities, and tells nobody: a store has no contexts.
    ///
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        try writeBatch(body).counts
    }

    /// Writes many rows, and gives what became of them.
    ///
    /// - Parameter body: Gives the rows.
    /// - Returns: The counts, and the rows that were there and got new values, by the entity's name.
    /// - Throws: As ``batchWrite(_:)``, and what a row is refused with.
    package func writeBatch(
        _ body: (BatchWriter) throws -> Void
    ) throws -> (counts: [String: InsertCounts], updated: [String: ChangedIdentifiers]) {
        var result: (counts: [String: InsertCounts], updated: [String: ChangedIdentifiers]) = ([:], [:])
        try writeRows { rows in
            let writer = BatchWriter(model, rows, before: self)
            try body(writer)
            try writer.checkEnd()
            try writer.willCommit()
            result = (writer.counts, writer.updated)
        }
        return result
    }
}
