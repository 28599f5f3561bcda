import CStrataSQLite
public import Foundation
import StrataCore
import StrataFiles
import StrataSQL

extension SQLiteStore {
    /// Removes a store: its file, its log and its log's index.
    ///
    /// If there is no store, the method does nothing. The removal uses SQLite, so that it fails if another connection
    /// has the store open. A process that opens the store at the same moment finds no store, instead of a store whose
    /// file was removed. A symbolic link remains.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - onlyIfEmpty: A Boolean value that indicates whether a store that contains any row remains.
    ///   - busyTimeout: The time to wait for another connection.
    /// - Returns: False if the store remains because it contains rows.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/foreignStore`` or
    ///   ``PersistenceError/Code/notADatabase`` if the file is not a Strata store, ``PersistenceError/Code/locked`` if
    ///   another process or connection uses the store.
    @discardableResult
    public static func destroy(
        at url: URL, onlyIfEmpty: Bool = false, busyTimeout: Duration = .seconds(5)
    ) throws -> Bool {
        let path = FilePath.resolved(url.path)
        return try SQLiteOpenFiles.shared.alone {
            let found = try SQLiteFile(path: path).inspect()
            if found == .unfinished {
                // After a rollback, the file is empty, it is not a database of SQLite, or another process is still
                // writing it.
                let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
                defer { connection.close() }
                _ = try connection.number("SELECT count(*) FROM sqlite_schema")
            }
            if found == .store {
                let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
                defer { connection.close() }
                // SQLite can leave WAL mode only on the sole connection. The result is a single file that no other
                // connection has open.
                guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
                    throw PersistenceError(.locked, "the store is in use; close it first", path: path)
                }
                guard try invalidate(connection, onlyIfEmpty) else { return false }
            }
            for file in [path, path + "-wal", path + "-shm", path + "-journal"] { try remove(file) }
            return true
        }
    }

    /// Makes the file invalid as a store; returns false if it contains rows and `onlyIfEmpty` is true.
    private static func invalidate(_ connection: SQLiteConnection, _ onlyIfEmpty: Bool) throws -> Bool {
        try connection.execute("BEGIN EXCLUSIVE")
        defer { connection.rollBack() }
        if onlyIfEmpty {
            let own = SQLLayout.ownTableNames
            for table in try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
            where !own.contains(table) {
                let sql = "SELECT count(*) FROM (SELECT 1 FROM \(SQLLayout.quoted(table)) LIMIT 1)"
                if try connection.number(sql) != 0 { return false }
            }
        }
        try connection.execute("PRAGMA application_id = 0")
        for table in SQLLayout.ownTableNames { try connection.execute("DROP TABLE IF EXISTS \(table)") }
        try connection.execute("COMMIT")
        return true
    }

    private static func remove(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw PersistenceError.system(errno, "the file cannot be removed", path: path)
    }
}
