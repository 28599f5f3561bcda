/// Takes the rows of one batch, of any entity.
public final class BatchWriter {
    private let model: ManagedObjectModel
    /// The store's writer, whose rows are neither validated nor counted.
    package let rows: any RowWriter
    private var inserters: [BatchInserter] = []
    let batchCounts: BatchCounts
    /// Called when everything is checked, before the commit.
    package var willCommit: () throws -> Void = {}

    init(_ model: ManagedObjectModel, _ rows: any RowWriter, before stored: any StoreReader) {
        self.model = model
        self.rows = rows
        batchCounts = BatchCounts(model, before: stored)
    }

    /// An inserter of an entity's rows, valid as long as the batch.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    public func inserter(of entity: String, _ options: InsertOptions = InsertOptions()) throws -> BatchInserter {
        let description = try model.entity(named: entity)
        let inserter = BatchInserter(
            description, options: options, rows: try rows.inserter(of: entity, options), batchCounts: batchCounts,
            form: model.form(of: entity))
        inserters.append(inserter)
        return inserter
    }

    /// Adds a pair to a many-to-many relationship; both ends are checked at the end.
    ///
    /// - Parameters:
    ///   - row: The pair, in the orientation of the join table's source and target.
    ///   - join: The join table's name.
    ///   - location: Where the pair stands in its input.
    /// - Throws: ``PersistenceError``.
    public func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try rows.insert(row, of: join, location: location)
        try batchCounts.note(row.pair, of: join)
    }

    /// The identifier of the row that has the values of a unique key, be it written so far or stored before.
    ///
    /// - Parameters:
    ///   - entity: The entity of the row.
    ///   - key: One of its ``EntityDescription/uniqueKeys``.
    ///   - value: What the row has in the key's columns, in their stored form.
    /// - Returns: The identifier; `nil` where no row has the values.
    /// - Throws: ``PersistenceError``.
    /// - Complexity: One look into the key's index.
    public func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try rows.identifier(of: entity, by: key, value)
    }

    /// Checks the references of all rows so far, and how many objects relationships lead to, as the end of the batch will.
    ///
    /// - Throws: ``PersistenceError`` for the first reference, in the order of the input, that leads nowhere and may not; with code
    ///   ``PersistenceError/Code/validation`` where a relationship leads to too few objects, or too many.
    public func checkReferences() throws {
        try rows.checkReferences()
        try checkEnd()
    }

    /// Checks how many objects relationships lead to, and completes the rows that kept values.
    func checkEnd() throws {
        try batchCounts.check(inserters, rows)
        for form in inserters.compactMap(\.form) where !form.isDone { try form.completeNoted(rows) }
    }

    /// Keeps a text in the store under a key of your own, or forgets it; see ``PersistentStore/metadata(forKey:)``.
    ///
    /// - Throws: ``PersistenceError``.
    public func setMetadata(_ value: String?, forKey key: String) throws { try rows.setMetadata(value, forKey: key) }

    /// What became of the rows of each entity so far, by the entity's name; references are checked at the end only.
    package var counts: [String: InsertCounts] {
        inserters.reduce(into: [:]) { counts, inserter in
            counts[inserter.entity.name] = (counts[inserter.entity.name] ?? InsertCounts()) + inserter.counts
        }
    }

    /// The identifiers of rows that were there and got new values, by the entity's name.
    package var updated: [String: ChangedIdentifiers] {
        inserters.reduce(into: [:]) { $0[$1.entity.name, default: .none].formUnion($1.updated) }
    }
}
