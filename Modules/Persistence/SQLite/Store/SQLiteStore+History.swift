import Foundation
import StrataCore
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// The history of the store, which ``StoreHistory/setLevel(_:)`` turns on.
    public var history: (any StoreHistory)? { SQLHistory(SQLiteHistory(store: self)) }
}

/// The tables of the history of a store.
private struct SQLiteHistory: SQLHistoryStore {
    let store: SQLiteStore

    var layout: SQLLayout { store.layout }
    var historyProcess: String { store.historyProcess }
    var historyLocation: String { store.url.path }

    func readHistory<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try store.pool.withConnection { connection in
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            return try body(connection)
        }
    }

    func writeHistory<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try store.withWriter { connection in try connection.inTransaction { try body(connection) } }
    }

    /// Changes the history, and the number of the file's format, by which earlier versions reject a store with history.
    ///
    /// The count of migrations is raised, so that every open store object must be opened again.
    func changeHistory(_ body: (SQLiteConnection) throws -> Bool) throws {
        try writeHistory { connection in
            guard try body(connection) else { return }
            try connection.writeFormat()
            _ = try layout.countFollowing(on: connection)
            // Other connections detect the changed schema in the transaction of their next read or write.
            try connection.execute(
                "CREATE TABLE strata_generation (number INTEGER) STRICT; DROP TABLE strata_generation")
        }
    }
}

extension SQLiteConnection {
    /// Returns a Boolean value that indicates whether the store has the tables of a history.
    func hasHistoryTables() throws -> Bool {
        try number(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?", .string(SQLLayout.historyTransactionTable)) != 0
    }

    /// Writes the number of the file's format.
    func writeFormat() throws {
        let version = try hasHistoryTables() ? SQLiteFormat.versionWithHistory : SQLiteFormat.version
        try execute("PRAGMA user_version = \(version)")
    }

    /// Gives the history of a copied store its own epoch, if the store has a history.
    func renewHistory(in layout: SQLLayout) throws {
        guard try layout.historyLevel(on: self) != .off else { return }
        try run(layout.metadataUpsert, .string(SQLLayout.historyEpochKey), .string(UUID().uuidString))
    }
}
