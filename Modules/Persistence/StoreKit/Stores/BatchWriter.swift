public import StrataCore

/// A writer of rows of any entity in one batch.
///
/// ``BulkWriting/batchWrite(_:)`` passes a writer to its closure. Use it to insert rows of several entities that
/// reference each other: request one inserter for each entity, and write the rows in any order. References and counts
/// of related objects are checked when the closure returns. The writer and its inserters are valid until then, and are
/// used by one thread at a time.
///
/// ## Topics
///
/// ### Writing
///
/// - ``inserter(of:_:)``
/// - ``insert(_:of:location:)``
/// - ``setMetadata(_:forKey:)``
///
/// ### Reading and checking
///
/// - ``identifier(of:by:_:)``
/// - ``checkReferences()``
public final class BatchWriter {
    private let model: ManagedObjectModel
    /// The store's writer, which does not validate rows and does not check counts of related objects.
    package let rows: any RowWriter
    private var inserters: [BatchInserter] = []
    let batchCounts: BatchCounts
    /// A closure that is called after all checks and before the commit; if it throws an error, the batch fails.
    package var willCommit: () throws -> Void = {}

    init(_ model: ManagedObjectModel, _ rows: any RowWriter, before stored: any StoreReader) {
        self.model = model
        self.rows = rows
        batchCounts = BatchCounts(model, before: stored)
    }

    /// Returns an inserter of an entity's rows, valid until the end of the batch.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no entity
    ///   with this name.
    public func inserter(of entity: String, _ options: InsertOptions = InsertOptions()) throws -> BatchInserter {
        let description = try model.entity(named: entity)
        let inserter = BatchInserter(
            description, options: options, rows: try rows.inserter(of: entity, options), batchCounts: batchCounts,
            form: model.form(of: entity))
        inserters.append(inserter)
        return inserter
    }

    /// Inserts a join row of a many-to-many relationship; the existence of both ends is checked at the end of the
    /// batch.
    ///
    /// - Parameters:
    ///   - row: The join row, with the source and target of the join table.
    ///   - join: The join table's name.
    ///   - location: The location of the join row in its input.
    /// - Throws: ``PersistenceError`` if the join table does not exist or the store cannot be written.
    public func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try rows.insert(row, of: join, location: location)
        try batchCounts.note(row.pair, of: join)
    }

    /// Returns the identifier of the written or stored row that has some values in a unique key.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of the entity's ``EntityDescription/uniqueKeys``.
    ///   - value: The values of the row in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` if no row has the values.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    /// - Complexity: One lookup in the key's index.
    public func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try rows.identifier(of: entity, by: key, value)
    }

    /// Checks the references and the counts of related objects of all rows so far, as at the end of the batch.
    ///
    /// - Throws: ``PersistenceError`` for the first dangling reference, in input order, that the options do not permit;
    ///   with code ``PersistenceError/Code/validation`` if a relationship has too few or too many objects.
    public func checkReferences() throws {
        try rows.checkReferences()
        try checkEnd()
    }

    /// Completes the rows that kept stored values, and checks the counts of related objects.
    func checkEnd() throws {
        try batchCounts.check(inserters, rows)
        for form in inserters.compactMap(\.form) where !form.isDone { try form.completeNoted(rows) }
    }

    /// Stores a text under a key of the caller, or removes it if `value` is `nil`; see
    /// ``PersistentStore/metadata(forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be written.
    public func setMetadata(_ value: String?, forKey key: String) throws { try rows.setMetadata(value, forKey: key) }

    /// The counts of rows so far by their outcome, for each entity's name; dangling references are found only at the
    /// end.
    package var counts: [String: InsertCounts] {
        inserters.reduce(into: [:]) { counts, inserter in
            counts[inserter.entity.name] = (counts[inserter.entity.name] ?? InsertCounts()) + inserter.counts
        }
    }

    /// The identifiers of the stored rows that got new values, by the entity's name.
    package var updated: [String: ChangedIdentifiers] {
        inserters.reduce(into: [:]) { $0[$1.entity.name, default: .none].formUnion($1.updated) }
    }
}
