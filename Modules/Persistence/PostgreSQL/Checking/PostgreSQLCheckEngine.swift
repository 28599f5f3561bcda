#if PostgreSQL
public import StrataCore
import StrataSQL
public import StrataStoreKit

/// The PostgreSQL-specific part of a store check.
///
/// A check is one transaction that reads one snapshot; other connections can write the store meanwhile. The server
/// compares the indexes with their tables if the extension `amcheck` is installed
/// (postgresql.org/docs/15/amcheck.html).
struct PostgreSQLCheckEngine: SQLCheckEngine {
    let connection: PostgreSQLConnection
    let settings: PostgreSQLSettings

    var path: String { settings.location }
    /// An empty text, because PostgreSQL has no syntax for this: the rows of an entity are sorted without an index, and
    /// in other queries the planner decides.
    var withoutIndexes: String { "" }
    var order: String { " ORDER BY \(SQLLayout.quoted(TableDescription.ColumnName.id))" }
    var sequenceColumns: String { "CAST(0 AS bigint), octet_length(entity)" }

    // MARK: Reading

    func forEach(_ sql: String, _ values: [StoredValue], _ body: (PostgreSQLStatement) throws -> Void) throws {
        let blocks = try PostgreSQLBlocks(sql, values, on: connection)
        defer { blocks.end() }
        let statement = PostgreSQLStatement(sql, on: connection)
        while let block = try blocks.take() {
            for row in 0..<block.rowCount {
                statement.move(to: row, of: block)
                try body(statement)
            }
        }
    }

    func isInteger(_ statement: PostgreSQLStatement, at column: Int32) -> Bool {
        statement.field(at: column).integer != nil
    }

    func text(_ statement: PostgreSQLStatement, at column: Int32) -> String? { statement.field(at: column).text }

    func cell(_ statement: PostgreSQLStatement, at column: Int32, of type: AttributeType) -> StoredRowCheck.Cell {
        statement.field(at: column).value(of: type).map(StoredRowCheck.Cell.value) ?? .invalid
    }

    func withCancellation(_ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws {
        try connection.cancelling(where: isCancelled, body)
    }

    // MARK: The store as a whole

    /// Returns false, because after an error about damage the failed transaction cannot read the rest of the store.
    func isDamage(_ error: PersistenceError) -> Bool { false }

    func checkOwnTables() throws {
        guard try connection.hasStore(in: settings.schema) else {
            throw PersistenceError(.storeNotFound, "there is no store", path: path)
        }
    }

    func checkReadability() {}
    /// Does nothing, because PostgreSQL stores have only one format.
    func checkFormat(_ check: SQLCheck<Self>) {}

    // MARK: Repairing

    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue]) {
        ("DELETE FROM \(SQLLayout.sequenceTable) WHERE entity = $1", [.string(name)])
    }

    func begin() throws {
        try connection.execute(PostgreSQLConnection.beginning(isReadOnly: false))
        try connection.lockAgainstOpening(settings.schema)
        try connection.execute(settings.lock(.alone))
        try connection.execute("SAVEPOINT strata_repair")
    }

    func beginAgain() throws { try connection.execute("ROLLBACK TO strata_repair") }

    func commit(_ again: () throws -> Void) throws { try connection.execute("COMMIT") }
}

extension PostgreSQLStoreProvider {
    /// Checks the whole store, and repairs it if the options request that.
    ///
    /// The check compares the tables and indexes with those of a new store. It validates every row by the model's
    /// rules, references and join rows, unique values, relationship counts, the next identifiers, and the store's
    /// metadata.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read at all; ``PersistenceError/Code/locked`` if a repair
    ///   is requested and another process has the store open; `CancellationError`; or an error that `report` throws.
    ///   Nothing is changed in these cases.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        var settings = self.settings
        settings.busyTimeout = options.busyTimeout
        settings.tables = model.tables.map(\.name)
        let connection = try settings.connectFirst()
        connection.tables = settings.tables
        defer { connection.close() }
        let engine = PostgreSQLCheckEngine(connection: connection, settings: settings)
        let layout = SQLLayout(model: model, dialect: PostgreSQLDialect(server: settings.server))
        return try withoutActuallyEscaping(report) { report in
            // The server rolls back uncommitted changes when the connection is closed.
            if checking.repairs { return try engine.repair(layout, checking, report) }
            return try connection.inTransaction([PostgreSQLStore.beginningSnapshot], writes: false) {
                try engine.check(layout, checking, report)
            }
        }
    }
}
#endif
