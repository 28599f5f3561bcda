import CStrataSQLite
import Foundation
import StrataCore

/// A copy of a store that others may use meanwhile, by SQLite's own backup (sqlite.org/backup.html).
struct SQLiteBackup {
    let path: String
    let target: URL
    let busyTimeout: Duration

    /// - Parameters:
    ///   - path: The store's file.
    ///   - target: The new file.
    ///   - busyTimeout: How long to wait for another connection's lock.
    init(from path: String, to target: URL, busyTimeout: Duration) {
        (self.path, self.target, self.busyTimeout) = (path, target, busyTimeout)
    }

    /// How many pages are copied before somebody is asked whether it goes on.
    private static let pages: Int32 = 1024

    /// Copies all of one state.
    ///
    /// - Throws: ``PersistenceError`` for a file that is there already, or for what hinders reading or writing; `CancellationError`. What was written of the
    ///   copy is removed then.
    func run(isCancelled: () -> Bool = { false }) throws {
        guard FileStatus(path: target.path) == nil else {
            throw PersistenceError(
                .cannotCreate, "there is a file already; a copy of a store replaces nothing", path: target.path)
        }
        do { try copy(isCancelled) } catch {
            // What hindered the copy is said; that a part of it stays, if it does, is the lesser evil.
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(target.path + ending) }
            throw error
        }
    }

    private func copy(_ isCancelled: () -> Bool) throws {
        let source = try SQLiteConnection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        defer { source.close() }
        let copy = try SQLiteConnection(path: target.path, access: .create, busyTimeout: busyTimeout)
        defer { copy.close() }
        // One state, whoever writes: SQLite would begin anew at each commit of another process.
        try source.execute("BEGIN")
        defer { source.rollBack() }
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw copy.failure(sqlite3_errcode(copy.handle), sql: nil).error(path: target.path)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, Self.pages)
            if code == SQLITE_OK, isCancelled() { break }
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            if code == SQLITE_OK { throw CancellationError() }
            throw copy.failure(end == SQLITE_OK ? code : end, sql: nil).error(path: target.path, busyTimeout: busyTimeout)
        }
    }
}
