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
        return try withoutActuallyEscaping(report) { report in
            let check = { connection, isAfterRepair, report in
                SQLiteCheck(
                    connection, SQLLayout(model: model, dialect: SQLiteDialect()), options,
                    isAfterRepair: isAfterRepair, report: report)
            }
            if options.repairs { return try opening.repair(check, report) }
            let pool = try SQLiteOpenFiles.shared.alone { try opening.openToCheck() }
            defer { pool.close() }
            return try pool.withConnection { connection in
                try connection.execute("BEGIN")
                defer { connection.rollBack() }
                let check = check(connection, false, report)
                try check.run()
                return StoreCheckSummary(faultCount: check.faultCount, rowCount: check.rowCount)
            }
        }
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

    /// Checks, rebuilds and checks again in one transaction of a connection that has the file alone.
    fileprivate func repair(
        _ makeCheck: (SQLiteConnection, _ isAfterRepair: Bool, @escaping (StoreFault) throws -> Void) -> SQLiteCheck,
        _ report: @escaping (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        let (connection, registration) = try SQLiteOpenFiles.shared.alone {
            try requireStore()
            let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            return (connection, SQLiteOpenFiles.shared.register(path))
        }
        defer { withExtendedLifetime(registration) { connection.close() } }
        try beginAlone(connection)
        defer { connection.rollBack() }
        let first = makeCheck(connection, false) { _ in }
        try first.run(round: (0, 2))
        guard !first.repairs.isEmpty else {
            // Nothing can be done; what was found is said now, as nothing of it was kept.
            let again = makeCheck(connection, true, report)
            try again.run(round: (1, 2))
            return StoreCheckSummary(faultCount: again.faultCount, rowCount: again.rowCount / 2)
        }
        var failed: [String: String] = [:]
        connection.rollBack()
        try connection.execute("BEGIN EXCLUSIVE")
        var outcome = try take(first, on: connection, &failed)
        let second = makeCheck(connection, true, report)
        try second.run(round: (1, 2))
        // What was cancelled meanwhile is taken back as well.
        if second.options.isCancelled() { throw CancellationError() }
        try second.options.willCommit()
        do {
            try connection.execute("COMMIT")
        } catch let error as PersistenceError where error.code == .corrupt {
            // SQLite commits nothing once a damaged page was read. The file is locked, so that the same steps without a look at the rest
            // leave what was looked at.
            connection.rollBack()
            try connection.execute("BEGIN EXCLUSIVE")
            outcome = try take(first, on: connection, &failed)
            try connection.execute("COMMIT")
        }
        return StoreCheckSummary(
            faultCount: second.faultCount, rowCount: second.rowCount / 2, repairs: outcome.done,
            failures: outcome.failures)
    }

    /// Takes all steps that can be taken, inside the transaction that is open or, where one fails, another.
    private func take(
        _ check: SQLiteCheck, on connection: SQLiteConnection, _ failed: inout [String: String]
    ) throws -> SQLiteRepairs.Outcome {
        while true {
            do {
                return try check.repairs.run(
                    on: connection, check.layout, greatest: check.greatest, failed: failed)
            } catch let step as SQLiteRepairs.StepFailed {
                failed[step.what] = step.reason
                connection.rollBack()
                // Nobody came in between: the file stays locked.
                try connection.execute("BEGIN EXCLUSIVE")
            }
        }
    }

    /// How long to wait between two looks whether others have closed the store, in microseconds.
    private static let pause: UInt32 = 20_000

    /// Begins a transaction of the only connection that there is: with the log a writer's lock alone would let readers and other writers stay.
    private func beginAlone(_ connection: SQLiteConnection) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + busyTimeout
        while true {
            do {
                // Before the file is read for the first time; the lock is then kept until the connection is closed.
                try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                return try connection.execute("BEGIN EXCLUSIVE")
            } catch var error as PersistenceError where error.code == .locked {
                connection.rollBack()
                guard clock.now < deadline else {
                    error.message = "another process or connection has the store open, and a repair needs it alone"
                    throw error
                }
                usleep(Self.pause)
            }
        }
    }
}
