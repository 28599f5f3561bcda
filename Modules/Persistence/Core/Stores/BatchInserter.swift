/// Takes the rows of one entity in a batch.
public final class BatchInserter {
    /// The entity the rows belong to.
    public let entity: EntityDescription
    private let validator: BlockValidator
    let rows: any RowInserter
    private let batchCounts: BatchCounts
    /// Gives rows the values that records store; `nil` if rows are stored as they are.
    let form: BulkForm?
    /// What is noted of the rows for those that they count for.
    let counted: BatchCounts.Counted?

    init(
        _ entity: EntityDescription, options: InsertOptions, rows: any RowInserter, batchCounts: BatchCounts,
        form: RecordForm?
    ) {
        self.entity = entity
        self.rows = rows
        self.batchCounts = batchCounts
        validator = BlockValidator(entity, options)
        counted = batchCounts.counted(entity)
        self.form = form.map { BulkForm(entity, options, $0) }
    }

    /// What became of the rows so far; references are checked at the end only.
    public var counts: InsertCounts { rows.counts }

    /// About how many rows a block should have.
    package var rowsAtOnce: Int { rows.rowsAtOnce }

    var updated: ChangedIdentifiers { rows.updated }

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
            var error = PersistenceError.miscounted(values.count, entity)
            error.location = location
            throw error
        }
        var values = values
        let failures = validator.validate(&values, id: id)
        guard failures.isEmpty else { throw validator.error(failures, at: location) }
        try form?.complete(&values, id: id, at: location)
        let isNumbered = id == nil
        let id = try rows.insert(id: id, values: values, location: location)
        if isNumbered { try form?.note(values, id: id, at: location) }
        if let counted { batchCounts.note(id: id, counted) { values[$0] } }
        return id
    }

    /// Validates the rows of a block and writes them.
    ///
    /// - Parameter block: The rows; those the store numbers have their identifiers afterwards.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks a rule, or uniqueness unless the options take it;
    ///   ``PersistenceError/Code/invalidRequest`` for a block of another entity's rows.
    public func insert(_ block: inout RowBlock) throws {
        guard block.types == entity.columnTypes else {
            throw PersistenceError(.invalidRequest, "a block of rows of another entity", entity: entity.name)
        }
        for row in 0..<block.count {
            let failures = validator.validate(row: row, of: &block)
            guard failures.isEmpty else { throw validator.error(failures, at: block.location(ofRow: row)) }
        }
        try insertValidated(&block)
    }

    /// Writes the rows of a block that a ``BlockValidator`` has passed.
    ///
    /// - Throws: As ``insert(_:)``, but for the model's rules.
    package func insertValidated(_ block: inout RowBlock) throws {
        try form?.complete(&block)
        let numbered = form == nil ? [] : (0..<block.count).filter { block.id(ofRow: $0) == nil }
        try rows.insert(&block)
        try form?.note(block, numbered: numbered)
        guard let counted else { return }
        for (row, id) in block.ids.enumerated() {
            batchCounts.note(id: id, counted) { block.value(row: row, column: $0) }
        }
    }
}
