import StrataCore

/// Makes records of the rows that a batch leaves, where the record's initialiser may refuse what the model accepts, or computes attributes.
struct RecordCheck {
    private let entity: EntityDescription
    private let check: RowCheck
    private let computation: RowComputation?
    private let validator: RowValidator
    /// What the initialiser refused; of each object once.
    private var refused: [ValidationFailure] = []
    /// What it threw first.
    private var underlying: (any Error)?
    /// The rules that computed values break.
    private var broken: [ValidationFailure] = []

    /// - Returns: `nil` where the model alone decides.
    init?(_ entity: EntityDescription, in model: ManagedObjectModel) {
        computation = model.rowComputation(of: entity.name)
        // What is computed needs the record anyway.
        guard let check = model.rowCheck(of: entity.name, always: computation != nil) else { return nil }
        self.entity = entity
        self.check = check
        validator = RowValidator(entity)
    }

    /// What was refused; `nil` for nothing.
    var error: PersistenceError? {
        if !refused.isEmpty { return .refused(refused, by: entity.name, underlying) }
        return broken.isEmpty ? nil : .broken(broken, entity.name)
    }

    private var isFull: Bool { max(refused.count, broken.count) >= PersistenceError.maximumBatchFailures }

    /// Judges a row that is to be written, and computes what follows from its new values.
    mutating func judge(_ update: inout ChangeSet.Update) throws {
        let row = StoredRow(id: update.id, version: update.expectedVersion, values: update.values)
        guard try judge(RowReader(ValueRowSource(row))), let computation else { return }
        for (column, computed) in zip(computation.columns, try computation.values(row)) {
            var value = computed
            for rule in validator.validate(&value, column: column) where !isFull {
                broken.append(validator.failure(rule, index: column, value: value, id: row.id))
            }
            guard value != update.values[column] else { continue }
            update.values[column] = value
            update.changedColumns.append(column)
        }
    }

    /// Judges rows that were written, by reading them again in blocks.
    ///
    /// - Parameters:
    ///   - ids: The rows, ascending.
    ///   - reader: Has them as they would be stored.
    /// - Throws: What hinders reading; what is refused is in ``error``.
    mutating func judge(_ ids: [Int64], in reader: any StoreReader) throws {
        var reading = CancellableReading()
        for chunk in BatchReader.chunks(ids) where !isFull {
            guard let first = chunk.first, let last = chunk.last else { continue }
            // Rows that lie close together are found faster by where they begin and end than one by one.
            let isDense = last - first < Int64(chunk.count) * Self.maximumSpread
            let condition =
                isDense
                ? FetchCondition.compare(.property("id"), .greaterOrEqual, .constant(.integer(first)))
                    && .compare(.property("id"), .lessOrEqual, .constant(.integer(last)))
                : BatchReader.isOne("id", of: chunk)
            var next = chunk.startIndex
            try reader.fetch(StoreRequest(entity.name, where: condition)) { row in
                try reading.next()
                // By identifier, as the chunk is; what lies between was not written.
                guard next < chunk.endIndex, row.rawID == chunk[next] else { return .next }
                next += 1
                try judge(row)
                return isFull ? .stop : .next
            }
        }
    }

    /// How many rows may be read for each that is judged.
    private static let maximumSpread: Int64 = 4

    /// - Returns: Whether the row is a record.
    @discardableResult
    private mutating func judge(_ row: RowReader) throws -> Bool {
        if isFull { return false }
        do { try check(row) } catch {
            refused.append(try PersistenceError.failure(error, id: row.rawID, of: entity.name))
            if underlying == nil { underlying = error.cause }
            return false
        }
        return true
    }
}
