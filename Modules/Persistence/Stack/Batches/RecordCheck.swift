import StrataCore
import StrataStoreKit

/// A check that creates records from the rows that a batch writes.
///
/// The record type may reject a row. Its record may also store values that differ from those of the row.
struct RecordCheck {
    private let entity: EntityDescription
    private let form: RecordForm
    private let validator: RowValidator
    /// The failures of the rejected rows, at most one for each row.
    private var rejected: [ValidationFailure] = []
    /// The first error that a record's initializer threw.
    private var underlying: (any Error)?

    /// Creates a check of the rows of an entity.
    ///
    /// - Returns: The check, or `nil` if no record can reject or change a row of the entity.
    init?(_ entity: EntityDescription, in model: ManagedObjectModel) {
        guard let form = model.form(of: entity.name) else { return nil }
        self.entity = entity
        self.form = form
        validator = RowValidator(entity)
    }

    /// The error that contains the failures of all rejected rows, or `nil` if no row was rejected.
    var error: PersistenceError? { rejected.isEmpty ? nil : .refused(rejected, by: entity.name, underlying) }

    private var isFull: Bool { rejected.count >= PersistenceError.maximumBatchFailures }

    /// Validates a row before it is written, and replaces its values by those of the record created from it.
    mutating func complete(_ update: inout ChangeSet.Update) throws {
        let row = StoredRow(id: update.id, version: update.expectedVersion, values: update.values)
        for difference in try differences(from: RowReader(ValueRowSource(row))) {
            update.values[difference.column] = difference.value
            if !update.changedColumns.contains(difference.column) { update.changedColumns.append(difference.column) }
        }
    }

    /// Validates rows that the batch already wrote; the rows are read in blocks.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the rows, in ascending order.
    ///   - reader: A reader that returns the rows as the transaction would store them.
    /// - Returns: `true` if the values of each row equal those of the record created from it.
    /// - Throws: The error that occurred while rows were read. The failures of rejected rows are in ``error`` instead.
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

    /// The maximum number of rows that a block reads for each row to validate.
    private static let maximumSpread: Int64 = 4

    /// Returns the columns of a row whose values differ in the record created from the row; none if the record type
    /// rejects the row.
    private mutating func differences(from row: RowReader) throws -> [RecordForm.Difference] {
        do { return try form.differences(from: row, validator) } catch {
            let failure = try PersistenceError.failure(error, id: row.rawID, of: entity.name)
            if !isFull { rejected.append(failure) }
            if underlying == nil { underlying = error.cause }
            return []
        }
    }
}
