import StrataCore
public import StrataStoreKit

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
    /// Unless the record type declares ``RecordRules/model``, a record is created from every row, and the insert fails
    /// if the record's initializer rejects one. With ``RecordRules/model``, no records are created, so that the insert
    /// is several times as fast.
    ///
    /// `body` may read from the container but must not write to it: a save or a request for a new identifier in `body`
    /// throws an error. The contexts of the container are notified of updated rows as of a save by another context.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: The handling of inserted rows that exist already, and of dangling references.
    ///   - body: A closure that inserts the rows.
    /// - Returns: The number of new rows.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error of `body`; in these
    ///   cases nothing is stored. With code ``PersistenceError/Code/unknownOutcome`` if it is unknown whether the
    ///   commit succeeded; the cached rows are then discarded.
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
    /// The rows are written in one transaction of the store, and are validated by the same rules as a save. `body` may
    /// write the rows of all entities in any order, because references and the counts of related objects are checked
    /// after `body` returns. For the other restrictions of `body` and the checks by records' initializers, see
    /// ``batchInsert(into:_:_:)``.
    ///
    /// - Parameter body: A closure that writes the rows.
    /// - Returns: The counts of inserted, updated and skipped rows for each entity.
    /// - Throws: ``PersistenceError`` with the location of the first invalid row, or the error of `body`; in these
    ///   cases nothing is stored. With code ``PersistenceError/Code/unknownOutcome`` if it is unknown whether the
    ///   commit succeeded; the cached rows are then discarded.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        let (counts, updated) = try coordinator.invalidatingCacheOnUnknownOutcome(model.entities.map(\.name)) {
            try coordinator.operate(.insert, nil) { rows in
                let written = try coordinator.writing(in: nil) { try coordinator.store.writeBatch(body) }
                rows = written.0.values.reduce(0) { $0 + $1.inserted + $1.updated }
                return written
            }
        }
        coordinator.publish(StoreChange(counts: counts, updated: updated), from: nil)
        return counts
    }

    /// Returns the text that is stored under a metadata key, or `nil` if there is none; see
    /// ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func metadata(forKey key: String) throws -> String? { try coordinator.store.metadata(forKey: key) }
}
