import StrataCore

extension PersistentContainer: BulkWriting {
    /// Inserts many rows of one entity without making objects: one transaction, in the store, validated by the same rules as a save.
    ///
    /// ```swift
    /// try container.batchInsert(into: "Color") { inserter in
    ///     for (index, row) in rows.enumerated() {
    ///         try inserter.insert(values: row, location: RowLocation(line: index + 1, record: index + 1))
    ///     }
    /// }
    /// ```
    ///
    /// A row that the record's initialiser refuses ends the insert too, unless the record type says that the model decides alone: then no record is made of any row, which
    /// is several times as fast. See ``RecordRules``.
    ///
    /// `body` may read the stack, not write it: a save or a new identifier from inside it throws. Contexts of the stack learn of rows that were updated
    /// as they learn of another context's save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: What to do about rows that are there already, and about references that lead nowhere.
    ///   - body: Gives the rows.
    /// - Returns: The number of rows that are new.
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then. With code
    ///   ``PersistenceError/Code/unknownOutcome`` where it is not known whether the commit was done: the cache of rows is emptied.
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

    /// Writes many rows of several entities without making objects: one transaction, in the store, validated by the same rules as a save.
    ///
    /// Rows of all entities come in any order; references, and how many objects relationships lead to, are checked at the end. See
    /// ``batchInsert(into:_:_:)`` for what `body` may do, and for what the records' initialisers refuse.
    ///
    /// - Parameter body: Gives the rows.
    /// - Returns: What became of the rows of each entity.
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then. With code
    ///   ``PersistenceError/Code/unknownOutcome`` where it is not known whether the commit was done: the cache of rows is emptied.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        let (counts, updated) = try coordinator.lookingAfterwards(model.entities.map(\.name)) {
            try coordinator.store.writeBatch(body)
        }
        coordinator.publish(StoreChange(counts: counts, updated: updated), from: nil)
        return counts
    }

    /// The text that was kept in the store under a key, if there is one; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    public func metadata(forKey key: String) throws -> String? { try coordinator.store.metadata(forKey: key) }
}
