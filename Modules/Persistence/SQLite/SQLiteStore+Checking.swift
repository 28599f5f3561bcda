import CStrataSQLite
public import Foundation
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Looks at all of the store in a file, and repairs it where that is asked for.
    ///
    /// SQLite's own check, tables and indexes against those of a new store, every row by the model's rules, references and pairs, unique values, counts of
    /// relationships, the next identifiers, what the store knows of itself. Reading goes where reading goes otherwise: beside others that use the store, in a
    /// folder that cannot be written, on a full disk.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model that the store was made with.
    ///   - options: What is done.
    ///   - busyTimeout: How long a repair waits for others to close the store.
    ///   - report: Gets the faults one by one, after a repair those that are left.
    /// - Returns: How many there are, what was rebuilt, and what could not be.
    /// - Throws: ``PersistenceError`` for what keeps the store from being read at all, ``PersistenceError/Code/locked`` for a repair of a store that somebody has
    ///   open, `CancellationError`, what `report` throws; nothing is changed then.
    public static func check(
        at url: URL, model: ManagedObjectModel, options: StoreCheckOptions = StoreCheckOptions(),
        busyTimeout: Duration = .seconds(5), _ report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        try checkVersion()
        let opening = SQLiteOpening(path: url.path, model: model, busyTimeout: busyTimeout)
        let layout = SQLLayout(model: model, dialect: SQLiteDialect())
        let others = otherProcesses(at: url.path)
        var summary = try withoutActuallyEscaping(report) { report in
            if options.repairs {
                return try opening.openToRepair { try $0.repair(layout, options, report) }
            }
            let pool = try SQLiteOpenFiles.shared.alone { try opening.openToCheck() }
            defer { pool.close() }
            return try pool.withConnection { connection in
                try connection.execute("BEGIN")
                defer { connection.rollBack() }
                return try SQLiteCheckEngine(connection: connection, opening: opening).check(layout, options, report)
            }
        }
        // One process alone runs no two checkpoints at once.
        if let other = others.first {
            let name = other.name.map { " (\($0))" } ?? ""
            summary.warnings = SQLiteVersion.current.warnings.map {
                "\($0); process \(other.id)\(name) has the store open"
            }
        }
        return summary
    }

    /// The byte of the shared memory that every process with an open log locks (sqlite.org/walformat.html, 2.3).
    private static let openLockByte = 128

    /// Lists the other processes that have a store's log open, as far as the system says.
    private static func otherProcesses(at path: String) -> [FileLocks.Process] {
        FileLocks.processes(locking: openLockByte, of: path + "-shm").filter { $0.id != getpid() }
    }
}

extension SQLiteStoreProvider {
    /// Looks at all of the store, and repairs it where that is asked for.
    ///
    /// - Throws: As ``SQLiteStore/check(at:model:options:busyTimeout:_:)``.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        guard let url else { return StoreCheckSummary(faultCount: 0, rowCount: 0) }
        return try SQLiteStore.check(
            at: url, model: model, options: checking, busyTimeout: options.busyTimeout, report)
    }
}

extension SQLiteOpening {
    private func requireStore() throws {
        guard try SQLiteFile(path: path).inspect() == .store else {
            throw PersistenceError(.storeNotFound, "there is no store", path: path)
        }
    }

    /// Opens a file of which no more is asked than that it has the header of a store.
    fileprivate func openToCheck() throws -> SQLiteConnectionPool {
        try requireStore()
        return try withAccess(isReadOnly: true) { access in
            let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
            do {
                // Whether it can be opened like this shows when it is read; without a schema there is nothing to look at either.
                _ = try connection.texts("SELECT name FROM sqlite_schema")
            } catch {
                connection.close()
                throw error
            }
            return SQLiteConnectionPool(
                path: path, access: access, busyTimeout: busyTimeout, first: connection,
                registration: SQLiteOpenFiles.shared.register(path))
        }
    }

    /// Opens a file for whoever is going to have it alone.
    fileprivate func openToRepair<Result>(_ body: (SQLiteCheckEngine) throws -> Result) throws -> Result {
        let (connection, registration) = try SQLiteOpenFiles.shared.alone {
            try requireStore()
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            return (connection, SQLiteOpenFiles.shared.register(path))
        }
        defer { withExtendedLifetime(registration) { connection.close() } }
        defer { connection.rollBack() }
        return try body(SQLiteCheckEngine(connection: connection, opening: self))
    }
}
