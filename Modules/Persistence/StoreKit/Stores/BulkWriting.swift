public import StrataCore

/// A type that writes many rows in one transaction: a container, which also notifies its contexts, or a store.
///
/// Code that adds rows, such as an importer or a generator, can use this protocol instead of a container or store.
public protocol BulkWriting: AnyObject {
    /// The model of the rows that can be written.
    var model: ManagedObjectModel { get }

    /// Writes rows of several entities in one transaction, and validates them by the same rules as a save.
    ///
    /// The rows may be written in any order of entities. References and counts of related objects are checked at the
    /// end. `body` may read the store, but must not write to it except through its argument.
    ///
    /// The call blocks until the rows are committed, and locks the store for other writers meanwhile.
    ///
    /// - Parameter body: A closure that writes the rows.
    /// - Returns: The counts of rows by their outcome, for each entity's name.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error that `body` throws.
    ///   Nothing is stored in both cases.
    @discardableResult
    func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts]

    /// Returns the text that is stored under a key; `nil` if there is none. See ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata(forKey key: String) throws -> String?
}

extension PersistentStore {
    /// Writes rows of several entities in one transaction; a store has no contexts that it would notify.
    ///
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error that `body` throws.
    ///   Nothing is stored in both cases.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        try writeBatch(body).counts
    }

    /// Writes rows of several entities in one transaction, and returns their outcome.
    ///
    /// - Parameter body: A closure that writes the rows.
    /// - Returns: The counts of rows by their outcome, and the identifiers of stored rows that got new values, by the
    ///   entity's name.
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
