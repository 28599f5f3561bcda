import StrataCore

/// Makes records of the rows that a batch leaves: a record type may reject a row, and may store other values.
struct RecordCheck {
    private let entity: EntityDescription
    private let form: RecordForm
    private let validator: RowValidator
    /// The failures, at most one of each row.
    private var rejected: [ValidationFailure] = []
    /// The first error of an initializer.
    private var underlying: (any Error)?

    /// - Returns: `nil` if rows are stored as they are.
    init?(_ entity: EntityDescription, in model: ManagedObjectModel) {
        guard let form = model.form(of: entity.name) else { return nil }
        self.entity = entity
        self.form = form
        validator = RowValidator(entity)
    }

    /// The rejected rows; `nil` if there are none.
    var error: PersistenceError? { rejected.isEmpty ? nil : .refused(rejected, by: entity.name, underlying) }

    private var isFull: Bool { rejected.count >= PersistenceError.maximumBatchFailures }

    /// Judges a row that is to be written, and gives it the values that its record stores.
    mutating func complete(_ update: inout ChangeSet.Update) throws {
        let row = StoredRow(id: update.id, version: update.expectedVersion, values: update.values)
        for difference in try differences(from: RowReader(ValueRowSource(row))) {
            update.values[difference.column] = difference.value
            if !update.changedColumns.contains(difference.column) { update.changedColumns.append(difference.column) }
        }
    }

    /// Judges rows that were written, by reading them in blocks.
    ///
    /// - Parameters:
    ///   - ids: The rows, ascending.
    ///   - reader: Has them as they would be stored.
    /// - Returns: Whether each row has the values that its record stores.
    /// - Throws: An error of reading; the rejected rows are in ``error``.
    mutating func judge(_ ids: [Int64], in reader: any StoreReader) throws -> Bool {
        var reading = CancellableReading()
        var areSame = true
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
                if try !differences(from: row).isEmpty { areSame = false }
                return isFull ? .stop : .next
            }
        }
        return areSame
    }

    /// How many rows may be read for each that is judged.
    private static let maximumSpread: Int64 = 4

    /// Returns the values that the record of a row stores otherwise; none if it is rejected.
    private mutating func differences(from row: RowReader) throws -> [RecordForm.Difference] {
        do { return try form.differences(from: row, validator) } catch {
            let failure = try PersistenceError.failure(error, id: row.rawID, of: entity.name)
            if !isFull { rejected.append(failure) }
            if underlying == nil { underlying = error.cause }
            return []
        }
    }
}
