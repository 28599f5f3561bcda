import CStrataSQLite
public import Foundation
public import StrataCore
import StrataFiles
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// Opens the store in a file, or creates one.
    ///
    /// A file that is not a compatible store is rejected and remains unchanged: another application's database, a newer
    /// format, or no database. A store of another model is migrated as `migration` defines. Changes that do not affect
    /// rows are adopted, and all other changes are migrated in one transaction.
    ///
    /// The method blocks until the store is open. Meanwhile, other threads of this process wait to open a SQLite store,
    /// except while a store is migrated. The same file can be opened several times, in this process and in others.
    ///
    /// - Parameters:
    ///   - url: The file. The folder must exist.
    ///   - model: The model.
    ///   - isReadOnly: A Boolean value that indicates whether the caller only reads the store. A file that this process
    ///     cannot write is always opened read-only. A read-only store without a log can be read even if no companion
    ///     files can be created: in a folder that cannot be written, or on a full disk.
    ///   - createsFile: A Boolean value that indicates whether a missing store is created. A store is never created if
    ///     `isReadOnly` is `true`.
    ///   - busyTimeout: The time to wait for another connection's lock, while the store is opened and in each later
    ///     call.
    ///   - durability: Defines which commits a power failure may lose.
    ///   - migration: The options for a store that was created with another model.
    /// - Returns: The store.
    /// - Throws: `CancellationError` for a canceled migration; ``PersistenceError`` if the store cannot be opened. The
    ///   code is ``PersistenceError/Code/storeNotFound`` if there is no store and none is created, and
    ///   ``PersistenceError/Code/cannotCreate`` if it cannot be created. It is ``PersistenceError/Code/notADatabase``,
    ///   ``PersistenceError/Code/foreignStore`` or ``PersistenceError/Code/newerFormat`` if the file is not a supported
    ///   store. It is ``PersistenceError/Code/incompatibleModel``, ``PersistenceError/Code/dataLoss`` or
    ///   ``PersistenceError/Code/validation`` if the store must not or cannot be migrated. It is
    ///   ``PersistenceError/Code/locked`` if another connection has the store locked for longer than the busy timeout,
    ///   and ``PersistenceError/Code/unsupportedSQLite`` if the SQLite library is older than 3.37.
    public static func open(
        at url: URL, model: ManagedObjectModel, isReadOnly: Bool = false, createsFile: Bool = true,
        busyTimeout: Duration = .seconds(5), durability: Durability = .normal,
        migration: MigrationOptions = MigrationOptions()
    ) throws -> SQLiteStore {
        try checkVersion()
        let opening = SQLiteOpening(
            path: url.path, model: model, busyTimeout: busyTimeout, durability: durability, migration: migration)
        return try opening.following {
            if try SQLiteFile(path: url.path).inspect() != .store {
                guard createsFile, !isReadOnly else {
                    throw PersistenceError(.storeNotFound, "there is no store", path: url.path)
                }
                try opening.create()
            } else if createsFile, !isReadOnly {
                try opening.finishCreation()
            }
            return try opening.open(url: url, isReadOnly: isReadOnly)
        }
    }

    /// Opens the store in a file to read it once, without any change to the file and its log.
    ///
    /// - Throws: The errors of ``open(at:model:isReadOnly:createsFile:busyTimeout:durability:)``; a read throws
    ///   ``PersistenceError/Code/locked`` if another process writes the store meanwhile.
    package static func openUntouched(at url: URL, model: ManagedObjectModel) throws -> SQLiteStore {
        try checkVersion()
        let opening = SQLiteOpening(path: url.path, model: model, busyTimeout: .seconds(5), leavesFilesAlone: true)
        return try SQLiteOpenFiles.shared.alone {
            guard try SQLiteFile(path: url.path).inspect() == .store else {
                throw PersistenceError(.storeNotFound, "there is no store", path: url.path)
            }
            try opening.checkLog()
            return try opening.open(url: url, isReadOnly: true)
        }
    }

    static func checkVersion() throws {
        guard SQLiteVersion.current < SQLiteVersion.minimum else { return }
        throw PersistenceError(
            .unsupportedSQLite, "\(SQLiteVersion.current) is too old; 3.37 or newer is needed")
    }
}

/// The steps of opening a file.
struct SQLiteOpening {
    let path: String
    let model: ManagedObjectModel
    let busyTimeout: Duration
    var durability: Durability = .normal
    /// A Boolean value that indicates whether nothing is written, not even the log into the file at the last close.
    var leavesFilesAlone = false
    /// The options for a store that was created with another model.
    var migration = MigrationOptions()

    /// The dialect of the statements; tests use a different one to verify that no shared code depends on SQLite.
    var dialect: any SQLDialect = SQLiteDialect()

    var layout: SQLLayout { SQLLayout(model: model, dialect: dialect) }

    func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: path)
    }

    /// Creates the tables in one transaction with the rollback journal.
    ///
    /// The subsequent opening enables the write-ahead log. Therefore the file's header is correct from the first byte,
    /// and an interruption at any moment leaves an empty file or a whole store.
    func create() throws {
        do {
            let connection = try SQLiteConnection(path: path, access: .create, busyTimeout: busyTimeout)
            defer { connection.close() }
            try connection.inTransaction {
                // Another process may have created the store already.
                guard try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else { return }
                try connection.execute("PRAGMA application_id = \(SQLiteFormat.applicationID)")
                try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
                for statement in layout.schema() { try connection.execute(statement) }
                try writeMetadata(on: connection)
                try SQLViews(layout, on: connection).make()
            }
        } catch let failure as PersistenceError
            where [.permissionDenied, .readOnly, .cannotCreate].contains(failure.code)
        {
            throw error(.cannotCreate, "the store cannot be created: \(Self.creationHint(path))")
        }
    }

    /// Enables the write-ahead log if it is not enabled: for a new store, or for a copy without it by another program.
    ///
    /// If another connection is active, the next opening enables the log. Until then, readers and writers wait for each
    /// other.
    private func turnOnLog(_ connection: SQLiteConnection) throws {
        do {
            if try connection.text("PRAGMA journal_mode") != "wal" {
                try connection.execute("PRAGMA journal_mode = WAL")
            }
        } catch let error as PersistenceError where error.code == .locked {
            return
        }
    }

    /// Completes a creation that was interrupted.
    ///
    /// If a process was killed while it wrote its first transaction, it left a journal. SQLite rolls the transaction
    /// back when the file is opened, and this method creates the tables again.
    func finishCreation() throws {
        guard FileStatus(path: path + "-journal") != nil, access(path, W_OK) == 0 else { return }
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
        connection.close()
        if isEmpty { try create() }
    }

    private func writeMetadata(on connection: SQLiteConnection) throws {
        var entries = try layout.modelEntries()
        entries["uuid"] = UUID().uuidString
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
    }

    private static func creationHint(_ path: String) -> String {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard let status = FileStatus(path: folder), status.isDirectory else { return "there is no folder \(folder)" }
        return "the folder \(folder) cannot be written"
    }

    /// Opens an existing store and checks its model.
    func open(url: URL, isReadOnly: Bool) throws -> SQLiteStore {
        try withAccess(isReadOnly: isReadOnly) { access in
            try open(url: url, isReadOnly: isReadOnly || access == .immutable, access: access)
        }
    }

    /// Opens the file in the mode in which it can be read, without companion files if they cannot be created.
    func withAccess<Result>(isReadOnly: Bool, _ open: (SQLiteConnection.Access) throws -> Result) throws -> Result {
        let access = connectionAccess()
        do {
            return try open(access)
        } catch let failure as PersistenceError
            where isReadOnly && access == .readWrite && Self.codesOfCompanions.contains(failure.code)
        {
            // The companion files cannot be created. A store without a log can be read without them, as in a read-only
            // folder.
            guard (FileStatus(path: path + "-wal")?.byteCount ?? 0) == 0 else {
                guard failure.code == .diskFull else { throw failure }
                throw error(
                    .diskFull,
                    "the disk is full, but reading the store's log requires 32 KiB; free disk space, or copy the store "
                        + "and its -wal file to another disk")
            }
            return try open(.immutable)
        }
    }

    /// The codes of SQLite's errors if the log or its index cannot be created or written, for example on a full disk.
    private static let codesOfCompanions: Set<PersistenceError.Code> = [
        .diskFull, .cannotCreate, .inputOutput, .permissionDenied,
    ]

    private func open(url: URL, isReadOnly: Bool, access: SQLiteConnection.Access) throws -> SQLiteStore {
        let first = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        let identifier: UUID
        let historyLevel: HistoryLevel
        var generation: Int64?
        do {
            try checkOwnTables([SQLLayout.metadataTable, SQLLayout.sequenceTable], on: first)
            generation = try checkModel(on: first, mayFollow: access == .readWrite && !isReadOnly)
            if generation != nil { try checkTables(on: first) }
            if access == .readWrite, !isReadOnly {
                try turnOnLog(first)
                if generation != nil { generation = try updateViews(on: first) ?? generation }
            }
            let text = try first.text(layout.metadataSelection, .string("uuid"))
            guard let uuid = text.flatMap(UUID.init(uuidString:)) else {
                throw error(.corrupt, "the store has no identifier")
            }
            identifier = uuid
            historyLevel = try layout.historyLevel(on: first)
        } catch {
            first.close()
            throw error
        }
        let pool = SQLiteConnectionPool(
            path: path, access: access, busyTimeout: busyTimeout, first: first,
            generation: try generation.map { SQLiteGeneration(number: $0, model: try model.versionHash()) },
            registration: SQLiteOpenFiles.shared.register(path))
        return SQLiteStore(
            url: url, layout: layout, identifier: identifier, isReadOnly: isReadOnly || access != .readWrite,
            durability: durability, pool: pool, following: generation == nil ? steps : nil,
            historyLevel: historyLevel)
    }

    /// Returns the access mode for the file, because SQLite writes companion files even to read a store with a log.
    ///
    /// If SQLite cannot or must not write, and there is no log, no process writes the store.
    private func connectionAccess() -> SQLiteConnection.Access {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // An interrupted transaction must be rolled back before the first read, which requires write access.
        let isHalfWritten = (FileStatus(path: path + "-journal")?.byteCount ?? 0) > 0
        let mayWrite = !leavesFilesAlone || isHalfWritten
        if mayWrite, access(path, W_OK) == 0, access(folder, W_OK) == 0 { return .readWrite }
        let log = FileStatus(path: path + "-wal")
        return (log?.byteCount ?? 0) > 0 ? .readOnly : .immutable
    }

    /// Throws if the log has no index and none can be created, because SQLite's own error would be misleading.
    ///
    /// SQLite reads a log through an index in a companion file, and would report that the store's file does not exist.
    func checkLog() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard (FileStatus(path: path + "-wal")?.byteCount ?? 0) > 0, FileStatus(path: path + "-shm") == nil,
            access(folder, W_OK) != 0
        else { return }
        throw error(
            .permissionDenied,
            "the store's log cannot be read, because the folder \(folder) cannot be written; copy the store and its -wal file"
                + " to a folder that can be written")
    }

    /// Throws if a table or column of the model is missing, because SQLite would interpret a missing column as a text.
    private func checkTables(on connection: SQLiteConnection) throws {
        for table in model.tables { try check(table.name, has: table.columns.map(\.name), on: connection) }
        for (table, columns) in SQLLayout.ownColumns { try check(table, has: columns, on: connection) }
    }

    private func check(_ table: String, has columns: [String], on connection: SQLiteConnection) throws {
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
        guard try connection.number(count, .string(table)) == 1 else {
            throw error(.corrupt, "the table \(table) is missing; another program changed the store")
        }
        // The names must be equal byte by byte.
        let names = Set(
            try connection.texts("SELECT name FROM pragma_table_info(?)", .string(table)).map { Array($0.utf8) })
        for column in columns where !names.contains(Array(column.utf8)) {
            throw error(.corrupt, "the table \(table) has no column \(column); another program changed the store")
        }
    }

    /// Throws if tables that every store has are missing.
    func checkOwnTables(_ tables: [String], on connection: SQLiteConnection) throws {
        for table in tables {
            let exists =
                try connection.number(
                    "SELECT count(*) FROM sqlite_schema WHERE name = ?", .string(table)) == 1
            guard exists else {
                // SQLite has rolled back the incomplete creation of a store.
                guard FileStatus(path: path)?.byteCount != 0 else {
                    throw error(.storeNotFound, "there is no store: its creation was interrupted")
                }
                throw error(.corrupt, "the store's own tables are missing; another program changed it")
            }
        }
    }
}
