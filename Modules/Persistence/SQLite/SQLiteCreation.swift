import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL

/// Makes a store of one state of another one, in one transaction: killed at any moment, it leaves what was there or the whole store.
struct SQLiteCreation {
    private let path: String
    private let copy: StoreCopy
    private let busyTimeout: Duration

    init(at url: URL, from copy: StoreCopy, busyTimeout: Duration) {
        path = FileStatus.resolved(url.path)
        (self.copy, self.busyTimeout) = (copy, busyTimeout)
    }

    /// Makes it.
    ///
    /// - Throws: ``PersistenceError``, or `CancellationError`; what was there is as before.
    func run() throws {
        let target = try SQLiteCopyTarget(path: path, replacesStore: copy.replacesStore)
        do {
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            defer { connection.close() }
            try write(on: connection, target.found)
            // The store is whole; where the log cannot be turned on now, the next opening does that.
            _ = try? connection.text("PRAGMA journal_mode = WAL")
        } catch {
            // A file that is somebody else's by now stays.
            if (error as? PersistenceError)?.code != .cannotCreate { target.giveUp() }
            throw error
        }
    }

    private func write(on connection: SQLiteConnection, _ found: SQLiteCopyTarget.Found) throws {
        let meter = try CopyMeter(copy)
        if case .nothing = found, let snapshot = copy.snapshot as? SQLiteSnapshot {
            guard try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw SQLiteCopyTarget.taken(path)
            }
            try snapshot.copy(to: connection) { pages, all in
                if pages < all { try meter.reach(pages, of: all) } else { try meter.end() }
            }
        } else {
            // Leaving the log is possible only for the sole connection.
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

    /// Drops what is there.
    ///
    /// - Returns: The generation that follows the one of the store, so that whoever opens it while it is replaced is told; `nil` where there is none.
    private func empty(_ connection: SQLiteConnection, _ found: SQLiteCopyTarget.Found) throws -> Int64? {
        guard try connection.number("SELECT count(*) FROM sqlite_schema") != 0 else { return nil }
        // Somebody else has been faster.
        guard case .store = found else { throw SQLiteCopyTarget.taken(path) }
        let layout = SQLLayout(model: copy.snapshot.model, dialect: SQLiteDialect())
        let generation = try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey))
        for kind in ["view", "table"] {
            let names = try connection.texts(
                "SELECT name FROM sqlite_schema WHERE type = '\(kind)' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            for name in names {
                // Another program may have made some, with any name.
                let quoted = name.replacing("\"", by: "\"\"")
                try connection.execute("DROP \(kind) \"\(quoted)\"")
            }
        }
        return (generation.flatMap { Int64($0) } ?? 0) + 1
    }
}

/// The rows, pairs and metadata of a state, written into an empty database.
private struct SQLiteCopiedRows {
    private let copy: StoreCopy
    private let connection: SQLiteConnection
    private let meter: CopyMeter
    private let layout: SQLLayout

    init(_ copy: StoreCopy, connection: SQLiteConnection, meter: CopyMeter) {
        (self.copy, self.connection, self.meter) = (copy, connection, meter)
        layout = SQLLayout(model: copy.snapshot.model, dialect: SQLiteDialect())
    }

    /// Writes all.
    ///
    /// - Parameter generation: How often the store in the file has followed another model, where it is one that was there before.
    /// - Throws: ``PersistenceError``, or `CancellationError`.
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
        try SQLViews(layout, on: connection).make()
    }
}

extension SQLiteConnection {
    /// SQLite knows where its tables' references are.
    func checkReferences(_ what: String, in layout: SQLLayout) throws {
        // The tables of pairs have no row numbers.
        let violations = try texts(
            "SELECT \"table\" || char(10) || coalesce(rowid, '') || char(10) || \"parent\" FROM pragma_foreign_key_check LIMIT 1"
        )
        guard let violation = violations.first else { return }
        let first = violation.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard first.count == 3 else { throw PersistenceError(.corrupt, "\(what) nowhere", path: path) }
        var error = PersistenceError(
            .danglingReference, "\(what) \(first[2]) that leads nowhere", entity: first[0], path: path)
        error.id = Int64(first[1])
        throw error
    }
}
