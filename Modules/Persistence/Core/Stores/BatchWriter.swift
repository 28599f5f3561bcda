/// A writer of the rows of one batch, of any entity.
public final class BatchWriter {
    private let model: ManagedObjectModel
    /// The store's writer, which neither validates rows nor counts the objects of relationships.
    package let rows: any RowWriter
    private var inserters: [BatchInserter] = []
    let batchCounts: BatchCounts
    /// A closure that is called after all checks, before the commit.
    package var willCommit: () throws -> Void = {}

    init(_ model: ManagedObjectModel, _ rows: any RowWriter, before stored: any StoreReader) {
        self.model = model
        self.rows = rows
        batchCounts = BatchCounts(model, before: stored)
    }

    /// Returns an inserter of an entity's rows, valid until the end of the batch.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that the model does
    ///     not have.
    public func inserter(of entity: String, _ options: InsertOptions = InsertOptions()) throws -> BatchInserter {
        let description = try model.entity(named: entity)
        let inserter = BatchInserter(
            description, options: options, rows: try rows.inserter(of: entity, options), batchCounts: batchCounts,
            form: model.form(of: entity))
        inserters.append(inserter)
        return inserter
    }

    /// Adds a join row to a many-to-many relationship; both ends are checked at the end.
    ///
    /// - Parameters:
    ///   - row: The join row, in the orientation of the join table's source and target.
    ///   - join: The join table's name.
    ///   - location: The location of the join row in its input.
    /// - Throws: ``PersistenceError``.
    public func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try rows.insert(row, of: join, location: location)
        try batchCounts.note(row.pair, of: join)
    }

    /// Returns the identifier of the row that has the values of a unique key, among the written and the stored rows.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of its ``EntityDescription/uniqueKeys``.
    ///   - value: The values of the row in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` if no row has the values.
    /// - Throws: ``PersistenceError``.
    /// - Complexity: One lookup in the key's index.
    public func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try rows.identifier(of: entity, by: key, value)
    }

    /// Checks the references of all rows so far, and the object counts of relationships, as at the end of the batch.
    ///
    /// - Throws: ``PersistenceError`` for the first dangling reference, in input order, that the options do not permit;
    ///     with code ``PersistenceError/Code/validation`` if a relationship has too few or too many objects.
    public func checkReferences() throws {
        try rows.checkReferences()
        try checkEnd()
    }

    /// Checks the object counts of relationships, and completes the rows that kept values.
    func checkEnd() throws {
        try batchCounts.check(inserters, rows)
        for form in inserters.compactMap(\.form) where !form.isDone { try form.completeNoted(rows) }
    }

    /// Stores a text under a key of the caller, or removes it; see ``PersistentStore/metadata(forKey:)``.
    ///
    /// - Throws: ``PersistenceError``.
    public func setMetadata(_ value: String?, forKey key: String) throws { try rows.setMetadata(value, forKey: key) }

    /// The outcomes of the rows of each entity so far, by the entity's name; references are checked only at the end.
    package var counts: [String: InsertCounts] {
        inserters.reduce(into: [:]) { counts, inserter in
            counts[inserter.entity.name] = (counts[inserter.entity.name] ?? InsertCounts()) + inserter.counts
        }
    }

    /// The identifiers of existing rows that got new values, by the entity's name.
    package var updated: [String: ChangedIdentifiers] {
        inserters.reduce(into: [:]) { $0[$1.entity.name, default: .none].formUnion($1.updated) }
    }
}
