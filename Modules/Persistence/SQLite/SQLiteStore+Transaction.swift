public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` inside one transaction of SQLite's, on the connection that writes.
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

/// Ends a transaction of which nothing is to be stored.
private struct RolledBack: Error {}

/// A transaction on the connection that writes, which its store holds meanwhile.
typealias SQLiteTransaction = SQLTransaction<SQLiteConnection>
