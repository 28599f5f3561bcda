import StrataCore

/// A check that creates records from the rows that a batch writes.
///
/// A record type may reject a row, and its record may store other values.
struct RecordCheck {
    private let entity: EntityDescription
    private let form: RecordForm
    private let validator: RowValidator
    /// The failures, at most one for each row.
    private var rejected: [ValidationFailure] = []
    /// The first error of an initializer.
    private var underlying: (any Error)?

    /// Creates a check of an entity's rows.
    ///
    /// - Returns: `nil` if rows are stored without changes by a record.
    init?(_ entity: EntityDescription, in model: ManagedObjectModel) {
        guard let form = model.form(of: entity.name) else { return nil }
        self.entity = entity
        self.form = form
        validator = RowValidator(entity)
    }

    /// The error with the rejected rows, or `nil` if there are none.
    var error: PersistenceError? { rejected.isEmpty ? nil : .refused(rejected, by: entity.name, underlying) }

    private var isFull: Bool { rejected.count >= PersistenceError.maximumBatchFailures }

    /// Validates a row that will be written, and updates it to the values that its record stores.
    mutating func complete(_ update: inout ChangeSet.Update) throws {
        let row = StoredRow(id: update.id, version: update.expectedVersion, values: update.values)
        for difference in try differences(from: RowReader(ValueRowSource(row))) {
            update.values[difference.column] = difference.value
            if !update.changedColumns.contains(difference.column) { update.changedColumns.append(difference.column) }
        }
    }

    /// Validates rows that were written, by reading them in blocks.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the rows, in ascending order.
    ///   - reader: The reader, which has the rows in the form that would be stored.
    /// - Returns: A Boolean value that indicates whether each row has the values that its record stores.
    /// - Throws: The error of reading. The rejected rows are in ``error``.
    mutating func validate(_ ids: [Int64], in reader: any StoreReader) throws -> Bool {
        var reading = CancellableReading()
        var areSame = true
        for chunk in BatchReader.chunks(ids) where !isFull {
            guard let first = chunk.first, let last = chunk.last else { continue }
            // For rows with close identifiers, a range is faster than a list of identifiers.
            let isDense = last - first < Int64(chunk.count) * Self.maximumSpread
            let condition =
                isDense
                ? FetchCondition.compare(.property("id"), .greaterOrEqual, .constant(.integer(first)))
                    && .compare(.property("id"), .lessOrEqual, .constant(.integer(last)))
                : BatchReader.isOne("id", of: chunk)
            var next = chunk.startIndex
            try reader.fetch(StoreRequest(entity.name, where: condition)) { row in
                try reading.next()
                // Rows arrive in the order of their identifiers, as in the chunk. Rows between them were not written.
                guard next < chunk.endIndex, row.rawID == chunk[next] else { return .next }
                next += 1
                if try !differences(from: row).isEmpty { areSame = false }
                return isFull ? .stop : .next
            }
        }
        return areSame
    }

    /// The maximum number of rows that are read for each validated row.
    private static let maximumSpread: Int64 = 4

    /// Returns the values that the record of a row stores differently, or none if the record type rejects the row.
    private mutating func differences(from row: RowReader) throws -> [RecordForm.Difference] {
        do { return try form.differences(from: row, validator) } catch {
            let failure = try PersistenceError.failure(error, id: row.rawID, of: entity.name)
            if !isFull { rejected.append(failure) }
            if underlying == nil { underlying = error.cause }
            return []
        }
    }
}
