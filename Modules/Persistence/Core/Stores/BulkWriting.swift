/// A type that writes many rows in one transaction: a container, which notifies its contexts, or a store.
///
/// Code that adds rows, such as an importer or a generator, needs only this protocol of a stack.
public protocol BulkWriting: AnyObject {
    /// The model of the rows.
    var model: ManagedObjectModel { get }

    /// Writes many rows of several entities in one transaction, validated by the same rules as a save.
    ///
    /// Rows of all entities come in any order. References and the object counts of relationships are checked at the
    /// end. `body` may read the store, but must not write it in another way.
    ///
    /// - Parameter body: Writes the rows.
    /// - Returns: The counts of the rows of each entity, by their outcome.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error that `body` throws;
    ///     nothing is stored then.
    @discardableResult
    func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts]

    /// Returns the text that is stored under a key, if there is one; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata(forKey key: String) throws -> String?
}

extension PersistentStore {
    /// Writes many rows of several entities without a notification, because a store has no contexts.
    ///
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error that `body` throws;
    ///     nothing is stored then.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        try writeBatch(body).counts
    }

    /// Writes many rows, and returns their outcome.
    ///
    /// - Parameter body: Writes the rows.
    /// - Returns: The counts, and the existing rows that got new values, by the entity's name.
    /// - Throws: The errors of ``batchWrite(_:)``, and the error of a rejected row.
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
