import Foundation
import StrataCore
import StrataSQL

/// Stores of other models.
extension SQLiteOpening {
    /// Says that a store has to follow before it is opened, which takes as long as it takes: nobody else waits for that.
    private struct HasToFollow: Error {
        let registration: SQLiteOpenFiles.Registration?
    }

    /// Opens a store while nobody else in this process opens one; where it has to follow another model first, others open theirs meanwhile.
    func following(_ open: () throws -> SQLiteStore) throws -> SQLiteStore {
        // Once more than once only where somebody else has the store follow a third model in between.
        while true {
            do {
                return try SQLiteOpenFiles.shared.alone(open)
            } catch let needed as HasToFollow {
                // The file counts as open, so that nobody reads it beside SQLite's own descriptors.
                try withExtendedLifetime(needed.registration) { try steps.run() }
            }
        }
    }

    /// What has the store follow.
    var steps: SQLiteMigration {
        SQLiteMigration(
            path: path, model: model, options: migration, busyTimeout: busyTimeout, dialect: dialect,
            durability: durability)
    }

    /// Compares the store's model with the one that it is opened with.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store.
    ///   - mayFollow: Whether the store is opened to be written.
    /// - Returns: How often the store followed another model; `nil` where it has to before anything is done with it.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` where rows would have to follow and may not.
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
                PersistenceError.needsMigration(mapping?.steps ?? [], "is opened for reading only").message)
        case .takeOver, .migration:
            if migration.isDeferred { return nil }
            throw HasToFollow(registration: SQLiteOpenFiles.shared.register(path))
        }
        return stored.generation
    }

    /// Rebuilds the views if they differ from those of the model, and raises the format of a store without views.
    ///
    /// If the views cannot be built now, the store opens without them. Strata does not read them, and a check reports
    /// them.
    ///
    /// - Returns: The new generation, if the store had no views: processes of an earlier version are then notified.
    /// - Throws: ``PersistenceError``.
    func updateViews(on connection: SQLiteConnection) throws -> Int64? {
        let views = SQLViews(layout, on: connection)
        guard try !views.differences().isEmpty else { return nil }
        do {
            return try connection.inTransaction {
                // Another process may have been faster.
                let isOld = try !views.hasTable()
                guard try isOld || !views.differences().isEmpty else { return nil }
                try views.make()
                guard isOld else { return nil }
                try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
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
