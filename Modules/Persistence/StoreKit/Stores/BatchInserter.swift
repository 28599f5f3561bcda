public import StrataCore

/// An inserter of one entity's rows in a ``BatchWriter``'s batch.
///
/// It validates each row by the rules of the model before it writes the row. If the entity has a record type, its
/// initializer also validates the row, and the row gets the values that the record type computes.
///
/// A row that breaks a rule throws, and thereby fails the batch. A duplicate unique value or a dangling reference is
/// handled as the ``InsertOptions`` specify.
///
/// ## Topics
///
/// ### Inserting
///
/// - ``insert(id:values:location:)``
/// - ``insert(_:)``
///
/// ### Results
///
/// - ``counts``
/// - ``entity``
public final class BatchInserter {
    /// The entity of the rows.
    public let entity: EntityDescription
    private let validator: BlockValidator
    let rows: any RowInserter
    private let batchCounts: BatchCounts
    /// The conversion of rows to the values that their records store; `nil` if rows are stored unchanged.
    let form: BulkForm?
    /// The relationships with a count rule that the rows affect; `nil` if there are none.
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

    /// The counts of the rows so far, by their outcome; dangling references are found only at the end of the batch.
    public var counts: InsertCounts { rows.counts }

    /// The recommended count of rows in a block.
    package var rowsAtOnce: Int { rows.rowsAtOnce }

    var updated: ChangedIdentifiers { rows.updated }

    /// Validates and writes a row.
    ///
    /// - Parameters:
    ///   - id: The identifier; `nil` if the store is to assign it.
    ///   - values: The values of the row, in the order of the entity's columns.
    ///   - location: The location of the row in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the location. The code is ``PersistenceError/Code/validation`` with every
    ///   broken rule, ``PersistenceError/Code/uniqueness``, or ``PersistenceError/Code/invalidRequest`` for a wrong
    ///   count of values.
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

    /// Validates and writes the rows of a block.
    ///
    /// - Parameter block: The rows; afterwards, the block contains the identifiers that the store assigned.
    /// - Throws: ``PersistenceError`` with the location of the first row that breaks a rule, or that breaks uniqueness
    ///   unless the options permit it; ``PersistenceError/Code/invalidRequest`` if the block has rows of another
    ///   entity.
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

    /// Writes the rows of a block that a ``BlockValidator`` has already validated.
    ///
    /// - Throws: The errors of ``insert(_:)``, except those for broken rules of the model.
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
