import CStrataSQLite
import Foundation
import StrataCore
import StrataFiles
import StrataSQL
import StrataStoreKit

/// The creation of a store from a snapshot of another store, in one transaction.
///
/// If the process is killed at any moment, the file contains either its previous content or the complete new store.
struct SQLiteCreation {
    private let path: String
    private let copy: StoreCopy
    private let busyTimeout: Duration

    init(at url: URL, from copy: StoreCopy, busyTimeout: Duration) {
        path = FilePath.resolved(url.path)
        (self.copy, self.busyTimeout) = (copy, busyTimeout)
    }

    /// Creates the store and replaces the previous content of the file.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be created, or `CancellationError`; the previous content of
    ///   the file is then unchanged.
    func run() throws {
        let target = try SQLiteCopyTarget(path: path, replacesStore: copy.replacesStore)
        do {
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            defer { connection.close() }
            try write(on: connection, target.found)
            // The store is complete. If WAL mode cannot be enabled now, the next opening enables it.
            _ = try? connection.text("PRAGMA journal_mode = WAL")
        } catch {
            // A file that another process has created meanwhile remains.
            if (error as? PersistenceError)?.code != .cannotCreate { target.cancel() }
            throw error
        }
    }

    private func write(on connection: SQLiteConnection, _ found: SQLiteCopyTarget.Found) throws {
        let meter = try CopyMeter(copy)
        let layout = SQLLayout(model: copy.snapshot.model, dialect: SQLiteDialect())
        // The pages of a store with a history contain its epoch, which the copy must not have at any moment.
        if case .nothing = found, let snapshot = copy.snapshot as? SQLSnapshot<SQLiteConnection>,
            try snapshot.historyLevel(in: layout) == .off
        {
            guard try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw SQLiteCopyTarget.taken(path)
            }
            try snapshot.copy(to: connection) { pages, all in
                if pages < all { try meter.reach(pages, of: all) } else { try meter.end() }
            }
        } else {
            // SQLite can leave WAL mode only on the sole connection.
            if case .store = found, try connection.text("PRAGMA journal_mode = DELETE") != "delete" {
                throw SQLiteCopyTarget.inUse(path)
            }
            try connection.execute("PRAGMA foreign_keys = OFF")
            try connection.inTransaction {
                let generation = try empty(connection, found)
                try SQLiteCopiedRows(copy, connection: connection, meter: meter).write(generation: generation)
                try meter.end()
            }
        }
    }

    /// Drops all tables of the previous store in the file.
    ///
    /// - Returns: The count of migrations for the new store, by which processes that have the previous store open
    ///   notice the change; `nil` if the file contained no store.
    private func empty(_ connection: SQLiteConnection, _ found: SQLiteCopyTarget.Found) throws -> Int64? {
        guard try connection.number("SELECT count(*) FROM sqlite_schema") != 0 else { return nil }
        // Another process has created a store meanwhile.
        guard case .store = found else { throw SQLiteCopyTarget.taken(path) }
        let layout = SQLLayout(model: copy.snapshot.model, dialect: SQLiteDialect())
        let generation = try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey))
        for kind in ["view", "table"] {
            let names = try connection.texts(
                "SELECT name FROM sqlite_schema WHERE type = '\(kind)' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            for name in names {
                // Another program may have created tables and views with any name.
                let quoted = name.replacing("\"", by: "\"\"")
                try connection.execute("DROP \(kind) \"\(quoted)\"")
            }
        }
        return (generation.flatMap { Int64($0) } ?? 0) + 1
    }
}

/// The rows, join rows and metadata of a snapshot, which are written into the empty database of the new store.
private struct SQLiteCopiedRows {
    private let copy: StoreCopy
    private let connection: SQLiteConnection
    private let meter: CopyMeter
    private let layout: SQLLayout

    init(_ copy: StoreCopy, connection: SQLiteConnection, meter: CopyMeter) {
        (self.copy, self.connection, self.meter) = (copy, connection, meter)
        layout = SQLLayout(model: copy.snapshot.model, dialect: SQLiteDialect())
    }

    /// Creates the tables and writes the rows, the join rows and the metadata.
    ///
    /// - Parameter generation: The count of migrations for the new store if it replaces another one; otherwise `nil`.
    /// - Throws: ``PersistenceError`` if reading or writing fails, or `CancellationError`.
    func write(generation: Int64?) throws {
        try connection.execute("PRAGMA application_id = \(SQLiteFormat.applicationID)")
        try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
        for statement in layout.bareTables() { try connection.execute(statement) }
        let rows = SQLCopiedRows(copy, in: layout, on: connection, meter)
        try rows.write()
        for statement in layout.indexes() {
            if copy.isCancelled() { throw CancellationError() }
            try connection.execute(statement)
        }
        try connection.checkReferences("the store that is copied has a reference to", in: layout)
        var entries = try layout.modelEntries()
        entries["uuid"] = copy.identifier.uuidString
        if let generation {
            entries[SQLLayout.generationKey] = String(generation)
            entries[SQLLayout.versionKey] = try layout.model.versionHash()
        }
        try rows.writeMarks(and: entries)
        if copy.keepsHistory, let snapshot = copy.snapshot as? SQLSnapshot<SQLiteConnection> {
            try snapshot.copyHistory(to: connection, in: layout)
            try connection.writeFormat()
        }
        try SQLViews(layout, on: connection).make()
    }
}

extension SQLiteConnection {
    /// Throws if there is a dangling reference, which SQLite's `PRAGMA foreign_key_check` finds.
    func checkReferences(_ what: String, in layout: SQLLayout) throws {
        // Join tables have no row numbers.
        let violations = try texts(
            "SELECT \"table\" || char(10) || coalesce(rowid, '') || char(10) || \"parent\" FROM pragma_foreign_key_check LIMIT 1"
        )
        guard let violation = violations.first else { return }
        let first = violation.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard first.count == 3 else { throw PersistenceError(.corrupt, "\(what) nowhere", path: path) }
        var error = PersistenceError(
            .danglingReference, "\(what) \(first[2]) that does not exist", entity: first[0], path: path)
        error.id = Int64(first[1])
        throw error
    }
}
