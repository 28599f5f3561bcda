/// An inserter of the rows of one entity in a batch.
public final class BatchInserter {
    /// The entity of the rows.
    public let entity: EntityDescription
    private let validator: BlockValidator
    let rows: any RowInserter
    private let batchCounts: BatchCounts
    /// The conversion to the values that records store; `nil` if rows are stored unchanged.
    let form: BulkForm?
    /// The relationships whose counts the rows may change; `nil` if there are none.
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

    /// The outcomes of the rows so far; references are checked only at the end.
    public var counts: InsertCounts { rows.counts }

    /// The approximate count of rows that a block should have.
    package var rowsAtOnce: Int { rows.rowsAtOnce }

    var updated: ChangedIdentifiers { rows.updated }

    /// Validates a row and writes it.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` if the store is to number the row.
    ///   - values: The values in the order of the entity's columns.
    ///   - location: The location of the row in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location: code ``PersistenceError/Code/validation`` with every rule that
    ///     the row breaks, ``PersistenceError/Code/uniqueness``, or ``PersistenceError/Code/invalidRequest`` for a
    ///     wrong count of values.
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
    /// - Parameter block: The rows; afterwards, it has the identifiers of rows that the store numbered.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks a rule, or uniqueness unless the
    ///     options permit it; ``PersistenceError/Code/invalidRequest`` for a block of another entity's rows.
    public func insert(_ block: inout RowBlock) throws {
        guard block.types == entity.columnTypes else {
            throw PersistenceError(.invalidRequest, "the block contains rows of another entity", entity: entity.name)
        }
        for row in 0..<block.count {
            let failures = validator.validate(row: row, of: &block)
            guard failures.isEmpty else { throw validator.error(failures, at: block.location(ofRow: row)) }
        }
        try insertValidated(&block)
    }

    /// Writes the rows of a block that a ``BlockValidator`` has validated.
    ///
    /// - Throws: The errors of ``insert(_:)``, except those of the model's rules.
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
