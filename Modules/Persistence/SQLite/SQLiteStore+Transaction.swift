public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` inside one SQLite transaction, on the connection that writes.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try withWriter { connection in
            let transaction = SQLiteTransaction(layout: layout, connection: connection)
            defer { transaction.isOver = true }
            do {
                try connection.inTransaction {
                    if case .rollBack = try body(transaction) { throw RolledBack() }
                }
            } catch is RolledBack {}
        }
    }
}

/// An error that rolls back a transaction without a failure.
private struct RolledBack: Error {}

/// A transaction on the connection that writes, which the store reserves meanwhile.
typealias SQLiteTransaction = SQLTransaction<SQLiteConnection>
