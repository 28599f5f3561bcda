import Foundation
import StrataCore
import StrataSQL

/// A check that the disk has enough free space for the tables that a migration rewrites.
struct DiskSpaceCheck: Sendable {
    let path: String
    /// A closure that returns the count of free bytes for files in the store's folder; tests replace it.
    var free: @Sendable (_ folder: String) -> Int64? = { DiskSpaceCheck.free($0) }

    /// The count of copies of a rewritten table that exist in addition to the old table: one in the log, and one in the
    /// file.
    private static let copies: Int64 = 2

    private static func free(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, overflows) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }

    /// Throws if the disk does not have enough free space for a migration.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables that the migration rewrites.
    ///   - backup: The location of a copy of the whole store that is made before the migration; `nil` if no copy is
    ///     made.
    ///   - connection: A connection to the store.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/diskFull`` if the free space is too small.
    func check(_ tables: [String], backup: URL?, on connection: SQLiteConnection) throws {
        let pages = try connection.number("PRAGMA page_count") ?? 0
        let whole = pages * (try connection.number("PRAGMA page_size") ?? 0)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if let backup {
            let target = backup.deletingLastPathComponent().path
            // If the folder does not exist, the backup reports the error.
            if let free = free(target), free < whole { throw error("the copy", needs: whole, has: free, in: target) }
        }
        guard !tables.isEmpty, let free = free(folder), free < Self.copies * whole else { return }
        // The migration may rewrite only a small part of the store.
        let needed = Self.copies * (size(of: tables, on: connection) ?? whole)
        guard free < needed else { return }
        throw error("the migration", needs: needed, has: free, in: folder)
    }

    /// Returns the size of tables and their indexes in bytes, or `nil` if SQLite cannot determine it.
    private func size(of tables: [String], on connection: SQLiteConnection) -> Int64? {
        // Only the form `aggregate = 1` makes the table count by table instead of by page (sqlite.org/dbstat.html,
        // section 2).
        let sql = """
            SELECT total(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = 1 AND s.tbl_name IN \
            (\(tables.map { _ in "?" }.joined(separator: ", ")))
            """
        do {
            let statement = try SQLiteStatement(sql, on: connection)
            defer { statement.finalize() }
            try statement.bind(tables.map(StoredValue.string))
            // Every table has at least one page, so a size of 0 means that the size is unknown.
            return try statement.step() ? statement.integers(1).first { $0 > 0 } : nil
        } catch {
            // SQLite may be built without this table. The check then assumes that the whole store is rewritten.
            return nil
        }
    }

    private func error(_ what: String, needs needed: Int64, has free: Int64, in folder: String) -> PersistenceError {
        func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
        return PersistenceError(
            .diskFull,
            "\(what) needs \(megabytes(needed)) MB in \(folder), but only \(megabytes(free)) MB are free; nothing was "
                + "changed",
            path: path)
    }
}
