import StrataCore

/// A converter of a bulk write's rows to the values that their records store.
///
/// If an input row has all values, it is converted before it is written. If it keeps values of a stored row, it is read
/// again and converted at the end of the bulk write.
final class BulkForm {
    private let entity: EntityDescription
    private let form: RecordForm
    private let validator: RowValidator
    private let defaults: RowDefaults
    /// A Boolean value that indicates whether an input row may keep values of the stored row that it updates.
    private let keepsValues: Bool
    private let computedColumns: Set<Int>
    /// The identifiers of the rows to convert at the end; if the set is incomplete, all rows of the entity are
    /// converted.
    private var noted = IdentifierSet(isComplete: true)

    init(_ entity: EntityDescription, _ options: InsertOptions, _ form: RecordForm) {
        self.entity = entity
        self.form = form
        validator = RowValidator(entity)
        defaults = RowDefaults(entity)
        keepsValues = options.onConflict == .update
        computedColumns = Set(entity.computedColumns)
    }

    /// A Boolean value that indicates whether no row must be converted at the end of the bulk write.
    var isDone: Bool { noted.isEmpty && noted.isComplete }

    /// Replaces the values of a row with the values that its record stores.
    func complete(_ values: inout [StoredValue], id: Int64?, at location: RowLocation) throws {
        for difference in try differences(from: values, id: id, at: location) {
            values[difference.column] = difference.value
        }
    }

    /// Replaces the values in a block's rows with the values that their records store.
    ///
    /// If a row may keep values of a stored row, only the computed values that are already known are set: a new row
    /// needs them, and a stored row may be found by them. They are computed again at the end of the bulk write.
    func complete(_ block: inout RowBlock) throws {
        for row in 0..<block.count {
            let values = block.values(ofRow: row, absent: defaults.value)
            let mayKeepValues = mayKeepValues(row, of: block)
            let changes: [RecordForm.Difference]
            do {
                changes = try differences(from: values, id: block.id(ofRow: row), at: block.location(ofRow: row))
            } catch  where mayKeepValues {
                continue
            }
            for difference in changes where !mayKeepValues || computedColumns.contains(difference.column) {
                block.set(difference.value, row: row, column: difference.column)
            }
            if mayKeepValues { continue }
            // The values were computed from these defaults; another instant or UUID would not match them.
            for column in entity.columns.indices where block.value(row: row, column: column) == nil {
                block.set(values[column], row: row, column: column)
            }
        }
    }

    /// Records the rows of a written block that must be converted at the end of the bulk write.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - numbered: The indexes of the rows to which the store assigned an identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` for a row that the record type
    ///   rejects.
    func note(_ block: RowBlock, numbered: [Int]) throws {
        if keepsValues {
            for row in 0..<block.count where mayKeepValues(row, of: block) {
                if let id = block.id(ofRow: row) { noted.insert(id) }
            }
        }
        // A computed value may depend on the identifier that the store assigned.
        if computedColumns.isEmpty { return }
        for row in numbered {
            guard let id = block.id(ofRow: row) else { continue }
            let values = block.values(ofRow: row, absent: defaults.value)
            if try !differences(from: values, id: id, at: block.location(ofRow: row)).isEmpty { noted.insert(id) }
        }
    }

    /// Records a row to which the store assigned an identifier, if its record stores other values with that identifier.
    func note(_ values: [StoredValue], id: Int64, at location: RowLocation) throws {
        if computedColumns.isEmpty { return }
        if try !differences(from: values, id: id, at: location).isEmpty { noted.insert(id) }
    }

    /// Returns a Boolean value that indicates whether an update with a block's row would keep a value of the stored
    /// row.
    ///
    /// It is `true` if an attribute that is not computed is absent.
    private func mayKeepValues(_ row: Int, of block: RowBlock) -> Bool {
        guard keepsValues else { return false }
        return entity.columns.indices.contains { column in
            !computedColumns.contains(column) && block.value(row: row, column: column) == nil
        }
    }

    private func differences(
        from values: [StoredValue], id: Int64?, at location: RowLocation
    ) throws -> [RecordForm.Difference] {
        // A row that the store numbers has no identifier yet.
        let row = StoredRow(id: id ?? identifierRange.lowerBound, values: values)
        return try differences(from: RowReader(ValueRowSource(row)), id: id ?? 0, at: location)
    }

    /// Replaces the values of the recorded rows with the values that their records store.
    ///
    /// - Parameter rows: The writer that reads and writes the rows.
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

    /// The maximum count of rows that one request reads.
    private static let chunkSize = 1_000

    /// Converts the first rows that a condition selects, in the order of their identifiers.
    ///
    /// - Returns: The identifier of the last converted row; `nil` if no row was selected.
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
        // The rows were already counted when they were written.
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
