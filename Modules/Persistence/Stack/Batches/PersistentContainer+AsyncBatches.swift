public import StrataCore
public import StrataStoreKit

/// The batches and bulk writes of a container as asynchronous methods.
///
/// A batch blocks a thread while it waits for other writers and until the store has written its rows. These methods run
/// the batches one after another on a queue of the container, so that no thread of Swift concurrency is blocked.
extension PersistentContainer {
    /// Changes the rows that a condition selects; see ``batchUpdate(_:where:set:dryRun:)``.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose rows are changed.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - values: The new values, by the names of attributes and to-one relationships.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The changed rows; for a dry run, the rows that would be changed.
    /// - Throws: The errors of ``batchUpdate(_:where:set:dryRun:)``, and `CancellationError` if the task is canceled
    ///   before the commit; nothing is then stored.
    @discardableResult
    public func performBatchUpdate(
        _ entity: String, where condition: FetchCondition? = nil, set values: [String: FetchOperand],
        dryRun: Bool = false
    ) async throws -> BatchResult {
        try await batchQueue.run {
            try self.batchUpdate(entity, where: condition, set: values, dryRun: dryRun)
        }
    }

    /// Changes the rows of a record type that a filter selects; see ``batchUpdate(_:entity:where:_:dryRun:)``.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity whose rows are changed; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the rows; `nil` selects all rows of the entity.
    ///   - assignments: The properties and their new values.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The changed rows; for a dry run, the rows that would be changed.
    /// - Throws: The errors of ``performBatchUpdate(_:where:set:dryRun:)``.
    @discardableResult
    public func performBatchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>], dryRun: Bool = false
    ) async throws -> BatchResult {
        try await batchQueue.run {
            try self.batchUpdate(type, entity: entity, where: filter, assignments, dryRun: dryRun)
        }
    }

    /// Deletes the rows that a condition selects; see ``batchDelete(_:where:dryRun:)``.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose rows are deleted.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The deleted rows; for a dry run, the rows that would be deleted.
    /// - Throws: The errors of ``batchDelete(_:where:dryRun:)``, and `CancellationError` if the task is canceled before
    ///   the commit; nothing is then deleted.
    @discardableResult
    public func performBatchDelete(
        _ entity: String, where condition: FetchCondition? = nil, dryRun: Bool = false
    ) async throws -> BatchResult {
        try await batchQueue.run { try self.batchDelete(entity, where: condition, dryRun: dryRun) }
    }

    /// Deletes the rows of a record type that a filter selects; see ``batchDelete(_:entity:where:dryRun:)``.
    @discardableResult
    public func performBatchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        dryRun: Bool = false
    ) async throws -> BatchResult {
        try await batchQueue.run { try self.batchDelete(type, entity: entity, where: filter, dryRun: dryRun) }
    }

    /// Inserts many rows of one entity; see ``batchInsert(into:_:_:)``.
    ///
    /// `body` runs on the container's queue.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - options: The handling of inserted rows that exist already, and of dangling references.
    ///   - body: A closure that inserts the rows. Later batches of the queue wait for it.
    /// - Returns: The number of new rows.
    /// - Throws: The errors of ``batchInsert(into:_:_:)``.
    @discardableResult
    public func performBatchInsert(
        into entity: String, _ options: sending InsertOptions = InsertOptions(),
        _ body: @Sendable (BatchInserter) throws -> Void
    ) async throws -> Int {
        // SAFETY: the caller transferred the options, and only the queue uses them.
        nonisolated(unsafe) let options = options
        return try await batchQueue.run { try self.batchInsert(into: entity, options, body) }
    }

    /// Inserts many records of one entity; see ``batchInsert(_:_:records:)``.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - options: The handling of records whose rows exist already, and of dangling references.
    ///   - records: The records, which contain their identifiers. The sequence is iterated on the container's queue, so
    ///     it may create records while it is read.
    /// - Returns: The number of new rows.
    /// - Throws: The errors of ``batchInsert(_:_:records:)``.
    @discardableResult
    public func performBatchInsert<Record: ManagedRecord>(
        _ entity: RecordEntity<Record>, _ options: sending InsertOptions = InsertOptions(),
        records: some Sequence<Record> & Sendable
    ) async throws -> Int {
        // SAFETY: the caller transferred the options, and only the queue uses them.
        nonisolated(unsafe) let options = options
        return try await batchQueue.run { try self.batchInsert(entity, options, records: records) }
    }

    /// Writes many rows of several entities; see ``batchWrite(_:)``.
    ///
    /// `body` runs on the container's queue.
    ///
    /// - Parameter body: A closure that writes the rows.
    /// - Returns: The counts of inserted, updated and skipped rows for each entity.
    /// - Throws: The errors of ``batchWrite(_:)``.
    @discardableResult
    public func performBatchWrite(
        _ body: @Sendable (BatchWriter) throws -> Void
    ) async throws -> [String: InsertCounts] {
        try await batchQueue.run { try self.batchWrite(body) }
    }
}
