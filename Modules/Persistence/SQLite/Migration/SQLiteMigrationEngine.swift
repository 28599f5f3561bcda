import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The SQLite-specific part of a migration: its SQL functions, the check for free disk space, and the copy of the
/// store.
final class SQLiteMigrationEngine: SQLMigrationEngine {
    let connection: SQLiteConnection
    private let migration: SQLiteMigration
    /// The location of the copy of the store that was made before the migration; `nil` if there is none.
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
        // The copy contains the store before the migration, which holds the writer's lock meanwhile.
        try SQLiteBackup(from: migration.path, to: backup, busyTimeout: migration.busyTimeout)
            .run(isCancelled: migration.options.isCancelled)
        copy = backup
        let connection = try SQLiteConnection(
            path: backup.path, access: .readWrite, busyTimeout: migration.busyTimeout)
        defer { connection.close() }
        try connection.renewHistory(in: SQLLayout(model: migration.model, dialect: migration.dialect))
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
            // The dialect has an expression for every conversion. The caller handles the other statements.
            case .convert, .setAside, .transform, .finish:
                throw PersistenceError(.invalidRequest, "no statement of a migration", path: migration.path)
            }
        } catch let error as PersistenceError where error.message.hasSuffix(SQLiteMigrationFunctions.cancelled) {
            throw CancellationError()
        } catch let error as PersistenceError where error.message.hasSuffix(SQLiteMigrationFunctions.unconvertible) {
            throw PersistenceError.unconvertible(path: migration.path)
        }
    }

    /// Runs a statement that is not cached, because it is used only once.
    private func run(_ sql: String, _ values: [StoredValue]) throws {
        let statement = try SQLiteStatement(sql, on: connection)
        defer { statement.finalize() }
        try statement.bind(values)
        while try statement.step() {}
    }

    func end(_ layout: SQLLayout, announcesChange: Bool) throws {
        // Other connections detect the changed schema in the transaction of their next read or write.
        if announcesChange {
            try connection.execute(
                "CREATE TABLE strata_generation (number INTEGER) STRICT; DROP TABLE strata_generation")
        }
        try connection.writeFormat()
    }
}

extension SQLiteConnection: SQLStageConnection {
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> SQLiteStageInsertion {
        try SQLiteStageInsertion(entity, layout, on: self)
    }
}

/// An object that inserts new rows of one entity in a migration stage.
final class SQLiteStageInsertion: SQLStageInsertion {
    private let entity: EntityDescription
    private let statement: SQLiteStatement

    init(_ entity: EntityDescription, _ layout: SQLLayout, on connection: SQLiteConnection) throws {
        self.entity = entity
        statement = try SQLiteStatement(layout.insertion(entity), on: connection)
    }

    func write(_ row: StoredRow) throws {
        defer { statement.rewind() }
        do {
            try statement.bind([.integer(row.id), .integer(row.version)] + row.values)
            _ = try statement.step()
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
    }

    func write(_ rows: [StoredRow]) throws {
        for row in rows { try write(row) }
        // This frees the last bound values, which may be long.
        statement.reset()
    }
}
