import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The opening of stores whose model differs from the model with which they are opened.
extension SQLiteOpening {
    /// An error that interrupts the opening because the store must first be migrated.
    ///
    /// A migration can take long, so it runs while other threads can open their stores.
    private struct NeedsMigration: Error {
        let registration: SQLiteOpenFiles.Registration?
    }

    /// Opens a store by a closure while no other thread of this process opens one.
    ///
    /// If the store must be migrated first, other threads can open their stores during the migration.
    func following(_ open: () throws -> SQLiteStore) throws -> SQLiteStore {
        // The loop runs more than twice only if another process migrates the store to a third model meanwhile.
        while true {
            do {
                return try SQLiteOpenFiles.shared.alone(open)
            } catch let needed as NeedsMigration {
                // The file is registered as open, so that no thread reads it in addition to SQLite's own descriptors.
                try withExtendedLifetime(needed.registration) { try steps.run() }
            }
        }
    }

    /// The migration of the store to the model with which it is opened.
    var steps: SQLiteMigration {
        SQLiteMigration(
            path: path, model: model, options: migration, busyTimeout: busyTimeout, dialect: dialect,
            durability: durability)
    }

    /// Compares the stored model with the model with which the store is opened.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store.
    ///   - mayFollow: A Boolean value that indicates whether the store may be migrated, because it is opened for
    ///     writing.
    /// - Returns: The store's count of migrations; `nil` if the store is migrated later, before its first use.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` if rows must be migrated
    ///   and `mayFollow` is false.
    func checkModel(on connection: SQLiteConnection, mayFollow: Bool) throws -> Int64? {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        let (stored, need, mapping) = try compare(on: connection)
        switch need {
        case .nothing: break
        case .takeOver where !mayFollow: break
        case .migration where !mayFollow:
            throw error(
                .incompatibleModel,
                PersistenceError.needsMigration(mapping?.steps ?? [], "the store is open for reading only").message)
        case .takeOver, .migration:
            if migration.isDeferred { return nil }
            throw NeedsMigration(registration: SQLiteOpenFiles.shared.register(path))
        }
        return stored.generation
    }

    /// Rebuilds the views if they differ from those of the model; if the store has no views, also raises its format
    /// number.
    ///
    /// If the views cannot be created now, for example because the disk is full, the store is opened without them.
    /// Strata does not read the views, and a store check reports the differences.
    ///
    /// - Returns: The new count of migrations if the store had no views, by which processes of earlier versions notice
    ///   the change; otherwise `nil`.
    /// - Throws: ``PersistenceError`` if the store cannot be read or written.
    func updateViews(on connection: SQLiteConnection) throws -> Int64? {
        let views = SQLViews(layout, on: connection)
        guard try !views.differences().isEmpty else { return nil }
        do {
            return try connection.inTransaction {
                // Another process may have done this already.
                let isOld = try !views.hasTable()
                guard try isOld || !views.differences().isEmpty else { return nil }
                try views.make()
                guard isOld else { return nil }
                try connection.writeFormat()
                return try layout.countFollowing(on: connection)
            }
        } catch let error as PersistenceError where SQLViews<SQLiteConnection>.hindrances.contains(error.code) {
            return nil
        }
    }

    private func compare(
        on connection: SQLiteConnection
    ) throws -> (stored: SQLStoredModel, need: SQLStoredModel.Need, mapping: ModelMapping?) {
        let stored = try SQLStoredModel(on: connection, layout, path: path)
        let (need, mapping) = try stored.need(of: model, path: path)
        return (stored, need, mapping)
    }
}
