import Foundation
import StrataCore
import StrataSQL

/// What SQLite brings to a migration: functions of its statements, room on the disk, a copy before anything changes.
final class SQLiteMigrationEngine: SQLMigrationEngine {
    let connection: SQLiteConnection
    private let migration: SQLiteMigration
    /// The copy that was made.
    private(set) var copy: URL?

    init(_ connection: SQLiteConnection, _ migration: SQLiteMigration) {
        (self.connection, self.migration) = (connection, migration)
    }

    func begin(_ counter: SQLMigrationCounter) throws {
        try SQLiteMigrationFunctions.register(on: connection, counter)
    }

    func prepare(_ tables: [String], isFirst: Bool) throws {
        let backup = isFirst ? migration.options.backup : nil
        try migration.room.check(tables, backup: backup, on: connection)
        guard let backup else { return }
        // As the store is before the migration, while that holds the writer's lock.
        try SQLiteBackup(from: migration.path, to: backup, busyTimeout: migration.busyTimeout)
            .run(isCancelled: migration.options.isCancelled)
        copy = backup
    }

    func run(_ statement: SQLMigration.Statement, _ counter: SQLMigrationCounter) throws {
        do {
            switch statement {
            case .sql(let sql, let values): try run(sql, values)
            case .fill(let filling): try run(filling.sql, filling.values)
            case .addColumn(let table, let definition):
                try SQLiteColumnAddition(table: table, definition: definition).run(on: connection)
            case .keepsReferences(let keeps):
                try connection.execute("PRAGMA legacy_alter_table = \(keeps ? "ON" : "OFF")")
            // The dialect has an expression for every value, and code is run by whoever asks for these.
            case .convert, .setAside, .transform, .finish:
                throw PersistenceError(.invalidRequest, "no statement of a migration", path: migration.path)
            }
        } catch let error as PersistenceError where error.message.hasSuffix(SQLiteMigrationFunctions.cancelled) {
            throw CancellationError()
        } catch let error as PersistenceError where error.message.hasSuffix(SQLiteMigrationFunctions.unconvertible) {
            throw PersistenceError.unconvertible(path: migration.path)
        }
    }

    /// Runs a statement that is needed once.
    private func run(_ sql: String, _ values: [StoredValue]) throws {
        let statement = try SQLiteStatement(sql, on: connection)
        defer { statement.finalize() }
        try statement.bind(values)
        while try statement.step() {}
    }

    func end(_ layout: SQLLayout, isTold: Bool) throws {
        // Another schema is what connections notice, in the transaction in which they read or write next.
        if isTold {
            try connection.execute(
                "CREATE TABLE strata_generation (number INTEGER) STRICT; DROP TABLE strata_generation")
        }
        try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
    }
}

extension SQLiteConnection: SQLStageConnection {
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> SQLiteStageInsertion {
        try SQLiteStageInsertion(entity, layout, on: self)
    }
}
