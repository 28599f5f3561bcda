import Foundation
import StrataCore
import StrataSQL

/// Has the store in a file follow another model, in one transaction: a process killed at any moment leaves the old store or the new one.
struct SQLiteMigration: Sendable {
    let path: String
    let model: ManagedObjectModel
    let options: MigrationOptions
    let busyTimeout: Duration
    let dialect: any SQLDialect
    let durability: Durability
    /// What is free on the disk; told otherwise in tests.
    var room: SQLiteRoom

    init(
        path: String, model: ManagedObjectModel, options: MigrationOptions, busyTimeout: Duration,
        dialect: any SQLDialect, durability: Durability
    ) {
        self.durability = durability
        (self.path, self.model, self.options, self.busyTimeout, self.dialect) = (
            path, model, options, busyTimeout, dialect
        )
        room = SQLiteRoom(path: path)
    }

    // MARK: Carrying out

    /// Migrates, or takes the model over; where somebody else did meanwhile, nothing happens.
    func run() throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        defer { connection.close() }
        // Rows that refer to each other are written table by table; no reference gets another destination.
        try connection.execute("PRAGMA foreign_keys = OFF")
        // As for every other write of the store: whether the commit waits for the disk is said by its durability.
        let isLogged = try connection.text("PRAGMA journal_mode") == "wal"
        if durability == .normal, isLogged { try connection.execute("PRAGMA synchronous = NORMAL") }
        try connection.execute("BEGIN IMMEDIATE")
        let engine = SQLiteMigrationEngine(connection, self)
        do {
            try following(engine).run()
            try connection.execute("COMMIT")
        } catch {
            connection.rollBack()
            // Of a store that is as it was nobody needs a copy; one that cannot be removed does no harm.
            if let copy = engine.copy { unlink(copy.path) }
            throw error
        }
        options.didCommit()
    }

    /// Migrates in a transaction that somebody else has begun, with references unchecked, and commits.
    func run(in connection: SQLiteConnection) throws {
        try following(SQLiteMigrationEngine(connection, self)).run()
    }

    /// What would happen, with what the rows at hand have to say; the store is only read.
    func preview(_ access: SQLiteConnection.Access) throws -> MigrationPreview {
        let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        defer { connection.close() }
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        return try following(SQLiteMigrationEngine(connection, self)).preview()
    }

    private func following(_ engine: SQLiteMigrationEngine) -> SQLFollowing<SQLiteMigrationEngine> {
        SQLFollowing(to: model, by: engine, options, dialect: dialect, path: path)
    }
}
