/// Gives the rows of a bulk write the values that their records store.
///
/// A whole row is changed before it is written. A row that keeps values of a stored one is read again at the end.
final class BulkForm {
    private let entity: EntityDescription
    private let form: RecordForm
    private let validator: RowValidator
    private let defaults: RowDefaults
    /// Whether a row may keep values of a stored row.
    private let keepsValues: Bool
    /// The rows to read at the end; it may be any of the entity if the set is not complete.
    private var noted = IdentifierSet(isComplete: true)

    init(_ entity: EntityDescription, _ options: InsertOptions, _ form: RecordForm) {
        self.entity = entity
        self.form = form
        validator = RowValidator(entity)
        defaults = RowDefaults(entity)
        keepsValues = options.onConflict == .update
    }

    /// Whether no row has to be read again.
    var isDone: Bool { noted.isEmpty && noted.isComplete }

    /// Gives a row the values that its record stores.
    func complete(_ values: inout [StoredValue], id: Int64?, at location: RowLocation) throws {
        let row = StoredRow(id: id ?? identifierRange.lowerBound, values: values)
        for difference in try differences(from: RowReader(ValueRowSource(row)), id: id ?? 0, at: location) {
            values[difference.column] = difference.value
        }
    }

    /// Gives the whole rows of a block the values that their records store.
    func complete(_ block: inout RowBlock) throws {
        for row in 0..<block.count where !keepsValues || !block.hasAbsent(row: row) {
            let values = block.values(ofRow: row, absent: defaults.value)
            // A row that the store numbers has no identifier yet.
            let id = block.id(ofRow: row) ?? identifierRange.lowerBound
            let reader = RowReader(ValueRowSource(StoredRow(id: id, values: values)))
            for difference in try differences(
                from: reader, id: block.id(ofRow: row) ?? 0, at: block.location(ofRow: row))
            {
                block.set(difference.value, row: row, column: difference.column)
            }
        }
    }

    /// Notes the rows of a written block that may have kept values of stored rows.
    func note(_ block: RowBlock) {
        guard keepsValues else { return }
        for row in 0..<block.count where block.hasAbsent(row: row) {
            if let id = block.id(ofRow: row) { noted.insert(id) }
        }
    }

    /// Gives the noted rows the values that their records store.
    ///
    /// - Parameter rows: Reads and writes them.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` for the first row that the record
    ///   type rejects.
    func completeNoted(_ rows: any RowWriter) throws {
        guard noted.isComplete else {
            var last: Int64? = 0
            while let id = last {
                let isLater = FetchCondition.compare(.property("id"), .greater, .constant(.integer(id)))
                last = try complete(rows, where: isLater)
            }
            return
        }
        try noted.forEachChunk(of: Self.chunkSize) { ids in
            _ = try complete(rows, where: .isIn(.property("id"), ids.map(StoredValue.integer)))
        }
    }

    /// How many rows are read at once.
    private static let chunkSize = 1_000

    /// Completes the first rows that a condition selects, by identifier.
    ///
    /// - Returns: The last identifier; `nil` if there was no row.
    private func complete(_ rows: any RowWriter, where condition: FetchCondition) throws -> Int64? {
        var changes = RowBlock(of: entity)
        var last: Int64?
        try rows.read { reader in
            try reader.fetch(StoreRequest(entity.name, where: condition, limit: Self.chunkSize)) { row in
                last = row.rawID
                let differences = try self.differences(from: row, id: row.rawID, at: nil)
                if differences.isEmpty { return .next }
                changes.beginRow(id: row.rawID, location: RowLocation(line: 0, record: 0))
                for difference in differences { changes.set(difference.value, column: difference.column) }
                return .next
            }
        }
        // The rows were counted when they were written.
        if changes.count > 0 { try rows.inserter(of: entity.name, InsertOptions(onConflict: .update)).insert(&changes) }
        return last
    }

    private func differences(
        from row: RowReader, id: Int64, at location: RowLocation?
    ) throws -> [RecordForm.Difference] {
        do { return try form.differences(from: row, validator) } catch {
            let failure = try PersistenceError.failure(error, id: id, of: entity.name)
            var refused = PersistenceError.refused([failure], by: entity.name, error.cause)
            refused.location = location
            throw refused
        }
    }
}
