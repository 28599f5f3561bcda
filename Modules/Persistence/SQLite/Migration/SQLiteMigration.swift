import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The migration of the store in a file to another model, in one transaction.
///
/// If the process is killed at any moment, the file contains either the unchanged store or the migrated store.
struct SQLiteMigration: Sendable {
    let path: String
    let model: ManagedObjectModel
    let options: MigrationOptions
    let busyTimeout: Duration
    let dialect: any SQLDialect
    let durability: Durability
    /// The check for free disk space, which tests replace.
    var room: DiskSpaceCheck

    init(
        path: String, model: ManagedObjectModel, options: MigrationOptions, busyTimeout: Duration,
        dialect: any SQLDialect, durability: Durability
    ) {
        self.durability = durability
        (self.path, self.model, self.options, self.busyTimeout, self.dialect) = (
            path, model, options, busyTimeout, dialect
        )
        room = DiskSpaceCheck(path: path)
    }

    // MARK: Execution

    /// Migrates the store to the model; does nothing if another process has done this meanwhile.
    func run() throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        defer { connection.close() }
        // Rows that refer to each other are written table by table; no reference changes its destination.
        try connection.execute("PRAGMA foreign_keys = OFF")
        // As for every write of the store, the durability defines whether the commit waits for the disk.
        let isLogged = try connection.text("PRAGMA journal_mode") == "wal"
        if durability == .normal, isLogged { try connection.execute("PRAGMA synchronous = NORMAL") }
        try connection.execute("BEGIN IMMEDIATE")
        let engine = SQLiteMigrationEngine(connection, self)
        do {
            try following(engine).run()
            try connection.execute("COMMIT")
        } catch {
            connection.rollBack()
            // The store is unchanged, so no copy is needed. If the copy cannot be removed, it is harmless.
            if let copy = engine.copy { unlink(copy.path) }
            throw error
        }
        options.didCommit()
    }

    /// Migrates the store in a transaction that the caller has begun without checks of references, and that the caller
    /// commits.
    func run(in connection: SQLiteConnection) throws {
        try following(SQLiteMigrationEngine(connection, self)).run()
    }

    /// Returns the steps of the migration and the problems of existing rows; does not change the store.
    func preview(_ access: SQLiteConnection.Access) throws -> MigrationPreview {
        let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        defer { connection.close() }
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        return try following(SQLiteMigrationEngine(connection, self)).preview()
    }

    private func following(_ engine: SQLiteMigrationEngine) -> SchemaMigration<SQLiteMigrationEngine> {
        SchemaMigration(to: model, by: engine, options, dialect: dialect, path: path)
    }
}
