import StrataCore

extension PersistentContainer: BulkWriting {
    /// Inserts many rows of one entity without creating objects.
    ///
    /// The rows are inserted in one transaction of the store, and are validated by the same rules as a save.
    ///
    /// ```swift
    /// try container.batchInsert(into: "Color") { inserter in
    ///     for (index, row) in rows.enumerated() {
    ///         try inserter.insert(values: row, location: RowLocation(line: index + 1, record: index + 1))
    ///     }
    /// }
    /// ```
    ///
    /// The insert also fails for a row that the record's initializer rejects, unless the record type declares that only
    /// the model validates. Then the insert creates no record for any row, which is several times as fast. See
    /// ``RecordRules``.
    ///
    /// `body` may read the stack but not write it: a save or a request for a new identifier in `body` throws an error.
    /// Contexts of the stack are notified of updated rows as of another context's save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: The handling of rows that exist already, and of dangling references.
    ///   - body: A closure that inserts the rows.
    /// - Returns: The number of new rows.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error of `body`; nothing is
    ///   stored then. With code ``PersistenceError/Code/unknownOutcome`` if it is unknown whether the commit succeeded;
    ///   the row cache is then cleared.
    @discardableResult
    public func batchInsert(
        into entity: String, _ options: InsertOptions = InsertOptions(), _ body: (BatchInserter) throws -> Void
    ) throws -> Int {
        var counts = InsertCounts()
        try batchWrite { writer in
            let inserter = try writer.inserter(of: entity, options)
            try body(inserter)
            counts = inserter.counts
        }
        return counts.inserted
    }

    /// Writes many rows of several entities without creating objects.
    ///
    /// The rows are written in one transaction of the store, and are validated by the same rules as a save. The rows of
    /// all entities may have any order. References, and the number of objects in relationships, are checked at the end.
    /// For the permitted work of `body` and the checks of the records' initializers, see ``batchInsert(into:_:_:)``.
    ///
    /// - Parameter body: A closure that writes the rows.
    /// - Returns: The counts of inserted, updated and skipped rows for each entity.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error of `body`; nothing is
    ///   stored then. With code ``PersistenceError/Code/unknownOutcome`` if it is unknown whether the commit succeeded;
    ///   the row cache is then cleared.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        let (counts, updated) = try coordinator.invalidatingCacheOnUnknownOutcome(model.entities.map(\.name)) {
            try coordinator.store.writeBatch(body)
        }
        coordinator.publish(StoreChange(counts: counts, updated: updated), from: nil)
        return counts
    }

    /// Returns the text that the store has for a key, or `nil`; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func metadata(forKey key: String) throws -> String? { try coordinator.store.metadata(forKey: key) }
}
