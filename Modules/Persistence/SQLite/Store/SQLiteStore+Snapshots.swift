import CStrataSQLite
package import Foundation
package import StrataCore
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// Opens several readers of the same snapshot, each of which has its own connection.
    ///
    /// If there are several, the method briefly holds the file's write lock while they begin, so that no commit occurs
    /// in between. If another connection holds the lock, possibly for hours, the method does not wait for it. Instead,
    /// the readers begin without the lock, and they begin again if a commit occurred in between.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if such commits occur for longer than
    ///   the busy timeout.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try openSnapshots(count) { _ in }
    }

    /// Opens snapshots and passes, before each of them begins, the count that have begun; tests commit in between.
    func openSnapshots(_ count: Int, willBegin: (Int) throws -> Void) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let snapshots = try (0..<count).map { _ in try pool.snapshot(in: layout) }
        func begin() throws {
            for (index, snapshot) in snapshots.enumerated() {
                try willBegin(index)
                try snapshot.begin()
            }
        }
        guard count > 1 else {
            try begin()
            return snapshots
        }
        let guardian = try pool.connections.borrow()
        defer { pool.connections.release(guardian) }
        let clock = ContinuousClock()
        let deadline = clock.now + guardian.busyTimeout
        repeat {
            if try pool.isWritable && guardian.beginWritingAtOnce() {
                defer { guardian.rollBack() }
                try begin()
                return snapshots
            }
            let version = try guardian.number("PRAGMA data_version")
            try begin()
            if try guardian.number("PRAGMA data_version") == version { return snapshots }
            for snapshot in snapshots { try snapshot.cancel() }
        } while clock.now < deadline
        throw PersistenceError(
            .locked, "other processes commit so often that no two readers saw the same state; try again",
            path: url.path)
    }
}

extension SQLiteConnection {
    /// Takes the write lock if no other connection has it; never waits.
    fileprivate func beginWritingAtOnce() throws -> Bool {
        sqlite3_busy_timeout(handle, 0)
        defer { setBusyTimeout() }
        do {
            try execute("BEGIN IMMEDIATE")
            return true
        } catch let error as PersistenceError where [.locked, .readOnly, .permissionDenied].contains(error.code) {
            rollBack()
            return false
        }
    }
}

extension SQLiteStore {
    /// Writes one snapshot of a store to a new file, with SQLite's own `VACUUM INTO`.
    ///
    /// The store remains unchanged. Others may use it meanwhile, and its folder may be read-only. The copy contains
    /// everything in the store, including its identifier, and has no log.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - copy: The new file.
    ///   - model: The model with which the store was created.
    /// - Throws: ``PersistenceError`` if reading or writing fails; an existing file at `copy` remains unchanged.
    package static func copy(at url: URL, to copy: URL, model: ManagedObjectModel) throws {
        let store = try openUntouched(at: url, model: model)
        try store.writeCopy(to: copy)
        try store.close()
    }

    /// Writes a snapshot of the store to a new file; others may write the store meanwhile.
    ///
    /// - Throws: The errors of ``copy(at:to:model:)``.
    package func writeCopy(to copy: URL) throws {
        try pool.withConnection { try $0.run("VACUUM INTO ?", .string(copy.path)) }
    }
}
