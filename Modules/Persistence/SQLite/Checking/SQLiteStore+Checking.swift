import CStrataSQLite
public import Foundation
public import StrataCore
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// Checks the whole store in a file, and repairs it if the options request this.
    ///
    /// The check includes SQLite's own check, and compares tables and indexes with those of a new store. It checks
    /// every row by the model's rules, references, join rows, unique values and counts of relationships. It also checks
    /// the next identifiers and the metadata.
    ///
    /// A check can run wherever a store can be read: while others use the store, in a folder that cannot be written,
    /// and on a full disk.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model with which the store was created.
    ///   - options: The options of the check.
    ///   - busyTimeout: The time that a repair waits for others to close the store.
    ///   - report: Receives the faults one by one; after a repair, the remaining faults.
    /// - Returns: The count of faults, the completed repairs, and the failed repairs.
    /// - Throws: ``PersistenceError`` if the store cannot be read at all, ``PersistenceError/Code/locked`` for a repair
    ///   of a store that another process or connection has open, `CancellationError`, or an error of `report`; nothing
    ///   is changed then.
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
            defer { pool.connections.close() }
            return try pool.withConnection { connection in
                try connection.execute("BEGIN")
                defer { connection.rollBack() }
                return try SQLiteCheckEngine(connection: connection, opening: opening).check(layout, options, report)
            }
        }
        // If only one process has the store open, no two checkpoints run at the same time.
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

    /// Returns the other processes that have a store's log open, if the system reports them.
    private static func otherProcesses(at path: String) -> [FileLocks.Process] {
        FileLocks.processes(locking: openLockByte, of: path + "-shm").filter { $0.id != getpid() }
    }
}

extension SQLiteStoreProvider {
    /// Checks the whole store, and repairs it if the options request this.
    ///
    /// - Throws: The errors of ``SQLiteStore/check(at:model:options:busyTimeout:_:)``.
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

    /// Opens a file that needs only the header of a store.
    fileprivate func openToCheck() throws -> SQLiteConnectionPool {
        try requireStore()
        return try withAccess(isReadOnly: true) { access in
            let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
            do {
                // This read fails if the file cannot be opened in this mode. Without a readable schema, no check is
                // possible.
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

    /// Opens a file for a caller that will take exclusive access.
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
