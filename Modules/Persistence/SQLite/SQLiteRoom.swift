import Foundation
import StrataCore
import StrataSQL

/// Whether the disk has room for tables that are written anew.
struct SQLiteRoom: Sendable {
    let path: String
    /// The bytes that may be written in the store's folder; another number in tests.
    var free: @Sendable (_ folder: String) -> Int64? = { SQLiteRoom.free($0) }

    /// What is written twice: to the log, and from there to the file, where the old table still is.
    private static let copies: Int64 = 2

    private static func free(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, overflows) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflows ? .max : bytes
    }

    /// Refuses to begin what would not come to its end.
    ///
    /// - Parameters:
    ///   - tables: The tables that are written anew.
    ///   - backup: Where a copy of all is made before; `nil` is none.
    ///   - connection: A connection to the store.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/diskFull``.
    func check(_ tables: [String], backup: URL?, on connection: SQLiteConnection) throws {
        let pages = try connection.number("PRAGMA page_count") ?? 0
        let whole = pages * (try connection.number("PRAGMA page_size") ?? 0)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if let backup {
            let target = backup.deletingLastPathComponent().path
            // A folder that is not there is told by whoever makes the copy.
            if let free = free(target), free < whole { throw error("the copy", needs: whole, has: free, in: target) }
        }
        guard !tables.isEmpty, let free = free(folder), free < Self.copies * whole else { return }
        // It may be that only a small part of the store is written anew.
        let needed = Self.copies * (size(of: tables, on: connection) ?? whole)
        guard free < needed else { return }
        throw error("the migration", needs: needed, has: free, in: folder)
    }

    /// What tables and their indexes take; `nil` where SQLite cannot tell.
    private func size(of tables: [String], on connection: SQLiteConnection) -> Int64? {
        // Only as an equation it has the table count by table, instead of by page (sqlite.org/dbstat.html, section 2).
        let sql = """
            SELECT total(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = 1 AND s.tbl_name IN \
            (\(tables.map { _ in "?" }.joined(separator: ", ")))
            """
        do {
            let statement = try SQLiteStatement(sql, on: connection)
            defer { statement.finalize() }
            try statement.bind(tables.map(StoredValue.string))
            // Every table has a page; what has none is not known.
            return try statement.step() ? statement.integers(1).first { $0 > 0 } : nil
        } catch {
            // SQLite may be built without that table: then all of the store is taken for what is written.
            return nil
        }
    }

    private func error(_ what: String, needs needed: Int64, has free: Int64, in folder: String) -> PersistenceError {
        func megabytes(_ bytes: Int64) -> Int64 { (bytes + 999_999) / 1_000_000 }
        return PersistenceError(
            .diskFull,
            "\(what) needs \(megabytes(needed)) MB in \(folder), and \(megabytes(free)) MB are free; nothing was changed",
            path: path)
    }
}
