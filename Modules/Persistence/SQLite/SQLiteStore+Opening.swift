import CStrataSQLite
public import Foundation
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Opens the store in a file, or makes one.
    ///
    /// What is no store is refused and left as it was: another application's database, a newer format, no database at all. A store of another model follows, as
    /// `migration` says: what rows do not depend on is taken over, the rest migrated in one transaction.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model.
    ///   - isReadOnly: Whether nothing will be written. A file that this process cannot write is opened so in any case. Without a log the
    ///     store is then read even where nothing beside it can be made: in a folder that cannot be written, on a full disk.
    ///   - createsFile: Whether a store is made where there is none.
    ///   - busyTimeout: How long to wait for another connection's lock.
    ///   - durability: What a power failure may take.
    ///   - migration: What is done where the store was made with another model.
    /// - Returns: The store.
    /// - Throws: ``PersistenceError`` with the code for what hinders it; `CancellationError` for a migration that was cancelled.
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

    /// Opens the store in a file to read it once, and leaves the file and its log as they are, byte for byte.
    ///
    /// - Throws: As ``open(at:model:isReadOnly:createsFile:busyTimeout:durability:)``; reading throws
    ///   ``PersistenceError/Code/locked`` when somebody writes the store meanwhile.
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
    /// Whether nothing is written, not even the log back into the file by the last one who closes it.
    var leavesFilesAlone = false
    /// What is done where the store was made with another model.
    var migration = MigrationOptions()

    /// How statements are written; another than the usual one shows that no statement is SQLite's alone.
    var dialect: any SQLDialect = SQLiteDialect()

    var layout: SQLLayout { SQLLayout(model: model, dialect: dialect) }

    func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: path)
    }

    /// Makes the tables in one transaction of the rollback journal; the opening behind it turns the write-ahead log on: so that the header in
    /// the file is right from the first byte, and an end at any moment leaves an empty file or a whole store.
    func create() throws {
        do {
            let connection = try SQLiteConnection(path: path, access: .create, busyTimeout: busyTimeout)
            defer { connection.close() }
            try connection.inTransaction {
                // Another process may have been faster.
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

    /// Turns the write-ahead log on, if it is not: for a new store, and for one that another program copied without it.
    ///
    /// While another connection is at work this has to wait for the next opening; until then readers and writers wait for each other.
    private func turnOnLog(_ connection: SQLiteConnection) throws {
        do {
            if try connection.text("PRAGMA journal_mode") != "wal" {
                try connection.execute("PRAGMA journal_mode = WAL")
            }
        } catch let error as PersistenceError where error.code == .locked {
            return
        }
    }

    /// A process that was killed while its first transaction was being written left a journal; SQLite takes the transaction back when the
    /// file is opened, and the tables are made again.
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

    /// Opens the file in the way in which it can be read, and without its companions where they cannot be made.
    func withAccess<Result>(isReadOnly: Bool, _ open: (SQLiteConnection.Access) throws -> Result) throws -> Result {
        let access = connectionAccess()
        do {
            return try open(access)
        } catch let failure as PersistenceError
            where isReadOnly && access == .readWrite && Self.codesOfCompanions.contains(failure.code)
        {
            // The files beside the store cannot be made; without a log it is read without them, as in a folder that cannot be written.
            guard (FileStatus(path: path + "-wal")?.byteCount ?? 0) == 0 else {
                guard failure.code == .diskFull else { throw failure }
                throw error(
                    .diskFull,
                    "the disk is full, and reading the store's log needs 32 KiB of it; make room, or copy the store and its -wal "
                        + "file to another disk")
            }
            return try open(.immutable)
        }
    }

    /// What SQLite says where the log, or its index, cannot be made or written, be it for want of room.
    private static let codesOfCompanions: Set<PersistenceError.Code> = [
        .diskFull, .cannotCreate, .inputOutput, .permissionDenied,
    ]

    private func open(url: URL, isReadOnly: Bool, access: SQLiteConnection.Access) throws -> SQLiteStore {
        let first = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        let identifier: UUID
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
            durability: durability, pool: pool, following: generation == nil ? steps : nil)
    }

    /// SQLite needs to write beside the file even to read a store with a log.
    ///
    /// Where it cannot, or is not to, and there is no log, nobody writes.
    private func connectionAccess() -> SQLiteConnection.Access {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // A transaction that was killed half way must be taken back before anything is read; only a writer can do that.
        let isHalfWritten = (FileStatus(path: path + "-journal")?.byteCount ?? 0) > 0
        let mayWrite = !leavesFilesAlone || isHalfWritten
        if mayWrite, access(path, W_OK) == 0, access(folder, W_OK) == 0 { return .readWrite }
        let log = FileStatus(path: path + "-wal")
        return (log?.byteCount ?? 0) > 0 ? .readOnly : .immutable
    }

    /// A log is read through an index beside it; SQLite's own error would say that there is no such file.
    func checkLog() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard (FileStatus(path: path + "-wal")?.byteCount ?? 0) > 0, FileStatus(path: path + "-shm") == nil,
            access(folder, W_OK) != 0
        else { return }
        throw error(
            .permissionDenied,
            "the store's log cannot be read, because the folder \(folder) cannot be written; copy the store and its -wal file"
                + " to a folder that can be")
    }

    /// What the model promises must be there: SQLite would take the name of a missing column for a text.
    private func checkTables(on connection: SQLiteConnection) throws {
        for table in model.tables { try check(table.name, has: table.columns.map(\.name), on: connection) }
        for (table, columns) in SQLLayout.ownColumns { try check(table, has: columns, on: connection) }
    }

    private func check(_ table: String, has columns: [String], on connection: SQLiteConnection) throws {
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
        guard try connection.number(count, .string(table)) == 1 else {
            throw error(.corrupt, "the table \(table) is missing; another program changed the store")
        }
        // Names are the same byte by byte.
        let names = Set(
            try connection.texts("SELECT name FROM pragma_table_info(?)", .string(table)).map { Array($0.utf8) })
        for column in columns where !names.contains(Array(column.utf8)) {
            throw error(.corrupt, "the table \(table) has no column \(column); another program changed the store")
        }
    }

    /// What a store of ours has before it has anything else.
    func checkOwnTables(_ tables: [String], on connection: SQLiteConnection) throws {
        for table in tables {
            let isThere =
                try connection.number(
                    "SELECT count(*) FROM sqlite_schema WHERE name = ?", .string(table)) == 1
            guard isThere else {
                // SQLite took back what was written of a store that was being made.
                guard FileStatus(path: path)?.byteCount != 0 else {
                    throw error(.storeNotFound, "there is no store; whoever was making one was stopped")
                }
                throw error(.corrupt, "the store's own tables are missing; another program changed it")
            }
        }
    }
}
