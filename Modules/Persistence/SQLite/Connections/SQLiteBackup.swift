import CStrataSQLite
import Foundation
import StrataCore

/// A copy of a store by SQLite's backup API (sqlite.org/backup.html); other connections may use the store meanwhile.
struct SQLiteBackup {
    let path: String
    let target: URL
    let busyTimeout: Duration

    /// Creates a backup.
    ///
    /// - Parameters:
    ///   - path: The path of the store's file.
    ///   - target: The new file.
    ///   - busyTimeout: The maximum time to wait for another connection's lock.
    init(from path: String, to target: URL, busyTimeout: Duration) {
        (self.path, self.target, self.busyTimeout) = (path, target, busyTimeout)
    }

    /// The count of pages that are copied between two checks for cancellation.
    private static let pages: Int32 = 1024

    /// Copies a single snapshot of the store into the new file.
    ///
    /// - Throws: ``PersistenceError`` if the new file exists already, or if reading or writing fails;
    ///   `CancellationError` if `isCancelled` returns true. The method then removes the incomplete copy.
    func run(isCancelled: () -> Bool = { false }) throws {
        let file = try SQLiteCopyTarget(path: target.path, replacesStore: false)
        do { try copy(isCancelled) } catch {
            file.cancel()
            throw error
        }
    }

    private func copy(_ isCancelled: () -> Bool) throws {
        let source = try SQLiteConnection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        defer { source.close() }
        let copy = try SQLiteConnection(path: target.path, access: .readWrite, busyTimeout: busyTimeout)
        defer { copy.close() }
        // A read transaction keeps one snapshot. Without it, SQLite would restart the copy at each commit of another
        // process.
        try source.execute("BEGIN")
        defer { source.rollBack() }
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        try Self.copy(from: source, to: copy) { _, _ in if isCancelled() { throw CancellationError() } }
    }

    /// Replaces the content of a database by a connection's snapshot, page by page, completely or not at all.
    ///
    /// - Parameters:
    ///   - source: A connection to the copied database, in a read transaction.
    ///   - copy: A connection to the replaced database, in no transaction.
    ///   - willCopy: A closure that receives, before each step, the count of pages copied after the step and the count
    ///     of all pages. If the closure throws, the replacement is rolled back. The last step commits the pages.
    /// - Throws: ``PersistenceError`` if reading or writing fails, or the error of `willCopy`.
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
                // This call rolls back the copied pages.
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
