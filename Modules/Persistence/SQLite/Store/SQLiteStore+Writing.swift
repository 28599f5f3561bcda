import CStrataSQLite
import StrataCore
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// Writes a change set in one transaction.
    ///
    /// The method waits for other writers up to the busy timeout. If it returns conflicts or throws an error, nothing
    /// is written.
    ///
    /// - Parameter changes: The insertions, updates and deletions, with the versions that the caller expects.
    /// - Returns: A conflict for each row whose stored version is not the expected version; empty if everything was
    ///   written.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness``,
    ///   ``PersistenceError/Code/danglingReference``, ``PersistenceError/Code/locked``,
    ///   ``PersistenceError/Code/readOnly`` or ``PersistenceError/Code/diskFull``, among others;
    ///   ``PersistenceError/Code/invalidRequest`` inside a closure that writes the store.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        return try withWriter { connection in
            do {
                try connection.inTransaction {
                    let history = SQLHistoryRecorder(
                        historyLevel, process: historyProcess, in: layout, on: connection)
                    try SQLSaving(layout: layout, connection: connection, history: history).save(changes)
                    try history?.finish()
                }
                return []
            } catch let found as ConflictsFound {
                return found.conflicts
            }
        }
    }

    /// Reserves the next identifiers in a short separate transaction, so that no two processes use the same identifier.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        _ = try model.entity(named: entity)
        guard count >= 1 else {
            throw PersistenceError(
                .invalidRequest, "\(count) identifiers were requested; at least 1 is required", entity: entity)
        }
        return try withWriter { connection in
            try connection.inTransaction {
                let sequence = SQLSequence(entity, in: layout, on: connection)
                let first = try sequence.next()
                let last = first.addingReportingOverflow(Int64(count) - 1)
                guard !last.overflow, identifierRange.contains(first), identifierRange.contains(last.partialValue)
                else {
                    throw PersistenceError.identifiersExhausted(entity)
                }
                try sequence.raise(above: last.partialValue)
                return first...last.partialValue
            }
        }
    }
}

extension SQLiteStore {
    /// Runs `body` inside one SQLite transaction, on the connection that writes.
    ///
    /// No other process can write the store until `body` returns, so it should not wait for people or a network.
    /// Readers see the previous state until the commit. If `body` throws an error or returns another value than
    /// ``TransactionCompletion/commit``, everything is rolled back.
    ///
    /// - Parameter body: A closure that reads and saves through its argument, which is valid only during the call.
    /// - Throws: An error that `body` throws, or ``PersistenceError`` if the store cannot be written.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try withWriter { connection in
            let history = SQLHistoryRecorder(
                historyLevel, process: historyProcess, in: layout, on: connection)
            let transaction = SQLiteTransaction(layout: layout, connection: connection, history: history)
            defer { transaction.isOver = true }
            do {
                try connection.inTransaction {
                    if case .rollBack = try body(transaction) { throw RolledBack() }
                    try history?.finish()
                }
            } catch is RolledBack {}
        }
    }
}

/// An error that rolls back a transaction without a failure.
private struct RolledBack: Error {}

/// A transaction on the connection that writes, which the store reserves meanwhile.
typealias SQLiteTransaction = SQLTransaction<SQLiteConnection>

extension SQLiteStore {
    /// Runs `body` with a bulk writer in one transaction.
    ///
    /// Indexes of an empty table are built after its rows are inserted. References are checked once, after `body` has
    /// returned; an error then contains the location of the first row with a dangling reference.
    ///
    /// - Parameter body: A closure that writes rows through its argument. It may read the store, but sees the rows
    ///   before the transaction.
    /// - Throws: An error that `body` throws, or ``PersistenceError`` if the rows cannot be stored; nothing is stored
    ///   in both cases.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try withWriter { connection in
            // The writer checks references once at the end and reports the row's location. SQLite would check each row
            // without a location.
            try connection.execute("PRAGMA foreign_keys = OFF")
            defer { restoreSettings(connection) }
            let migration = following.withLock { $0 }
            try connection.inTransaction {
                try migration?.run(in: connection)
                let history = SQLHistoryRecorder(
                    historyLevel, process: historyProcess, in: layout, on: connection)
                let writer = SQLRowWriter(layout, connection, history: history)
                defer { writer.end() }
                try body(writer)
                try writer.finish()
                try history?.finish()
            }
            following.withLock { $0 = nil }
        }
    }

    private func restoreSettings(_ connection: SQLiteConnection) {
        do {
            try connection.execute("PRAGMA foreign_keys = ON")
        } catch {
            // Outside a transaction, the pragma cannot fail. If it fails nevertheless, the connection is not used
            // again.
            connection.close()
        }
    }
}
