import StrataCore

extension PersistentContainer {
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
    /// `body` may read the stack, not write it: a save or a new identifier from inside it throws. Contexts of the stack learn of rows that were updated
    /// as they learn of another context's save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: What to do about rows that are there already, and about references that lead nowhere.
    ///   - body: Gives the rows.
    /// - Returns: The number of rows that are new.
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then.
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
    /// Rows of all entities come in any order; references are checked at the end. See ``batchInsert(into:_:_:)`` for what `body` may do.
    ///
    /// - Parameter body: Gives the rows.
    /// - Returns: What became of the rows of each entity.
    /// - Throws: ``PersistenceError`` with the location of the first bad row, or what `body` throws; nothing is stored then.
    @discardableResult
    public func batchWrite(_ body: (BatchWriter) throws -> Void) throws -> [String: InsertCounts] {
        var inserters: [BatchInserter] = []
        try coordinator.store.writeRows { rows in
            let writer = BatchWriter(model, rows)
            try body(writer)
            inserters = writer.inserters
        }
        var updated: [String: Set<Int64>] = [:]
        var counts: [String: InsertCounts] = [:]
        for inserter in inserters {
            updated[inserter.entity.name, default: []].formUnion(inserter.updatedIDs)
            counts[inserter.entity.name] = (counts[inserter.entity.name] ?? InsertCounts()) + inserter.counts
        }
        var changes = SavedChanges()
        changes.updated = updated.filter { !$0.value.isEmpty }
        if !changes.isEmpty { coordinator.announce(changes, from: nil) }
        return counts
    }
}

/// Takes the rows of one batch, of any entity.
public final class BatchWriter {
    private let model: ManagedObjectModel
    private let rows: any RowWriter
    fileprivate private(set) var inserters: [BatchInserter] = []

    init(_ model: ManagedObjectModel, _ rows: any RowWriter) {
        self.model = model
        self.rows = rows
    }

    /// An inserter of an entity's rows, valid as long as the batch.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name the model does not have.
    public func inserter(of entity: String, _ options: InsertOptions = InsertOptions()) throws -> BatchInserter {
        let description = try model.entity(named: entity)
        let inserter = BatchInserter(description, options: options, rows: try rows.inserter(of: entity, options))
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
    }

    /// Checks the references of all rows so far, as the end of the batch will.
    ///
    /// - Throws: ``PersistenceError`` for the first reference, in the order of the input, that leads nowhere and may not.
    public func checkReferences() throws { try rows.checkReferences() }

    /// Keeps a text in the store under a key of your own, or forgets it; see ``PersistentStore/metadata(forKey:)``.
    ///
    /// - Throws: ``PersistenceError``.
    public func setMetadata(_ value: String?, forKey key: String) throws { try rows.setMetadata(value, forKey: key) }
}

/// Takes the rows of one entity in a batch.
public final class BatchInserter {
    /// The entity the rows belong to.
    public let entity: EntityDescription
    private let validator: BlockValidator
    private let rows: any RowInserter

    init(_ entity: EntityDescription, options: InsertOptions, rows: any RowInserter) {
        self.entity = entity
        self.rows = rows
        validator = BlockValidator(entity, options)
    }

    /// What became of the rows so far; references are checked at the end only.
    public var counts: InsertCounts { rows.counts }

    var updatedIDs: Set<Int64> { rows.updatedIDs }

    /// Validates a row and writes it.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` to number the row.
    ///   - values: The values in the order of the entity's columns.
    ///   - location: Where the row stands in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location: code ``PersistenceError/Code/validation`` with every rule the row breaks,
    ///   ``PersistenceError/Code/uniqueness``, or ``PersistenceError/Code/invalidRequest`` for a row of another number of values.
    @discardableResult
    public func insert(id: Int64? = nil, values: [StoredValue], location: RowLocation) throws -> Int64 {
        guard values.count == entity.columns.count else {
            var error = PersistenceError(
                .invalidRequest, "a row of \(values.count) values; the entity has \(entity.columns.count) columns",
                entity: entity.name)
            error.location = location
            throw error
        }
        var values = values
        let failures = validator.validate(&values, id: id)
        guard failures.isEmpty else { throw validator.error(failures, at: location) }
        return try rows.insert(id: id, values: values, location: location)
    }

    /// Validates the rows of a block and writes them.
    ///
    /// - Parameter block: The rows; those the store numbers have their identifiers afterwards.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks a rule, or uniqueness unless the options take it.
    public func insert(_ block: inout RowBlock) throws {
        for row in 0..<block.count {
            let failures = validator.validate(row: row, of: &block)
            guard failures.isEmpty else { throw validator.error(failures, at: block.location(ofRow: row)) }
        }
        try rows.insert(&block)
    }

    /// Writes the rows of a block that a ``BlockValidator`` has passed.
    package func insertValidated(_ block: inout RowBlock) throws {
        try rows.insert(&block)
    }
}
