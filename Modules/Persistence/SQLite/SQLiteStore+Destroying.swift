import CStrataSQLite
public import Foundation
import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Removes a store: its file, its log and its log's index.
    ///
    /// Where there is none, nothing happens. Goes through SQLite, so that a store somebody else has open is not pulled away under them, and
    /// who opens it at that moment finds no store, instead of one whose file is gone. A symbolic link stays.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - onlyIfEmpty: Whether a store that holds any row is left as it is.
    ///   - busyTimeout: How long to wait for another connection.
    /// - Returns: Whether there is no store now.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/foreignStore`` or ``PersistenceError/Code/notADatabase`` when the
    ///   file is not a Strata store, ``PersistenceError/Code/locked`` when somebody else uses it.
    @discardableResult
    public static func destroy(
        at url: URL, onlyIfEmpty: Bool = false, busyTimeout: Duration = .seconds(5)
    ) throws -> Bool {
        let path = FileStatus.resolved(url.path)
        return try SQLiteOpenFiles.shared.alone {
            let found = try SQLiteFile(path: path).inspect()
            if found == .unfinished {
                // Taken back, nothing is left of it, or it is none of SQLite's, or somebody is still at work.
                let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
                defer { connection.close() }
                _ = try connection.number("SELECT count(*) FROM sqlite_schema")
            }
            if found == .store {
                let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
                defer { connection.close() }
                // Leaving the log is possible only for the sole connection; it ends with a single file that nobody has open.
                guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
                    throw PersistenceError(.locked, "the store is in use; close it first", path: path)
                }
                guard try invalidate(connection, onlyIfEmpty) else { return false }
            }
            for file in [path, path + "-wal", path + "-shm", path + "-journal"] { try remove(file) }
            return true
        }
    }

    /// Makes the file no store any more; false when it holds rows and may not.
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
        let code: PersistenceError.Code =
            errno == EACCES || errno == EPERM || errno == EROFS ? .permissionDenied : .inputOutput
        throw PersistenceError(code, "the file cannot be removed: \(String(cString: strerror(errno)))", path: path)
    }
}
