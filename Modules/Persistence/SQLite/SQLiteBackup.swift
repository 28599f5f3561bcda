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
        let file = try SQLiteCopyTarget(path: target.path, replacesStore: false)
        do { try copy(isCancelled) } catch {
            file.giveUp()
            throw error
        }
    }

    private func copy(_ isCancelled: () -> Bool) throws {
        let source = try SQLiteConnection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        defer { source.close() }
        let copy = try SQLiteConnection(path: target.path, access: .readWrite, busyTimeout: busyTimeout)
        defer { copy.close() }
        // One state, whoever writes: SQLite would begin anew at each commit of another process.
        try source.execute("BEGIN")
        defer { source.rollBack() }
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        try Self.copy(from: source, to: copy) { _, _ in if isCancelled() { throw CancellationError() } }
    }

    /// Copies the state that a connection sees, page by page, over whatever another one has: all of it, or nothing.
    ///
    /// - Parameters:
    ///   - source: Inside a reading transaction.
    ///   - copy: Inside none.
    ///   - willCopy: Told before each step how many pages there will be then of how many; what it throws takes everything back. With the last
    ///     step they are committed.
    /// - Throws: ``PersistenceError`` for what hinders reading or writing, or what `willCopy` throws.
    static func copy(
        from source: SQLiteConnection, to copy: SQLiteConnection, willCopy: (_ pages: Int, _ all: Int) throws -> Void
    ) throws {
        let all = Int(try source.number("PRAGMA page_count") ?? 0)
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw copy.failure(sqlite3_errcode(copy.handle), sql: nil).error(path: copy.path)
        }
        var (code, copied) = (SQLITE_OK, 0)
        while code == SQLITE_OK {
            copied = min(copied + Int(pages), all)
            do { try willCopy(copied, all) } catch {
                // Takes back what was copied.
                sqlite3_backup_finish(backup)
                throw error
            }
            code = sqlite3_backup_step(backup, pages)
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw copy.failure(end == SQLITE_OK ? code : end, sql: nil).error(
                path: copy.path, busyTimeout: copy.busyTimeout)
        }
    }
}
