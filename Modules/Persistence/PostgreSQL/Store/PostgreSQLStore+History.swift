#if PostgreSQL
import StrataCore
public import StrataSQL
public import StrataStoreKit

extension PostgreSQLStore {
    /// The history of the store, which ``StoreHistory/setLevel(_:)`` turns on.
    ///
    /// Transactions are read in the order of their commits: not before every transaction that began to write earlier,
    /// in any database of the server, has ended.
    public var history: (any StoreHistory)? { SQLHistory(PostgreSQLHistory(store: self)) }
}

/// The tables of the history of a store.
private struct PostgreSQLHistory: SQLHistoryStore {
    let store: PostgreSQLStore

    var layout: SQLLayout { store.layout }
    var historyProcess: String { store.historyProcess }
    var historyLocation: String { store.pool.settings.location }

    func readHistory<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try store.pool.withConnection { connection in
            try connection.naming(store.generation) {
                try connection.inTransaction(PostgreSQLStore.beginning(store.generation), writes: false) {
                    try body(connection)
                }
            }
        }
    }

    func writeHistory<Result: Sendable>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try store.write(.shared) { connection, _ in try body(connection) }
    }

    /// Changes the history while no other transaction writes the store.
    func changeHistory(_ body: (PostgreSQLConnection) throws -> Bool) throws {
        try store.checkWritable()
        let opening = PostgreSQLOpening(settings: store.pool.settings, model: store.model)
        try store.pool.withConnection { connection in
            try opening.alone(on: connection) {
                guard try body(connection) else { return }
                try PostgreSQLGeneration.name(try layout.countFollowing(on: connection), on: connection)
            }
        }
    }
}
#endif
