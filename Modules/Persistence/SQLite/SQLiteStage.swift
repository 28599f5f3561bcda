import Foundation
import StrataCore
import StrataSQL

/// The rows that a stage's code sees and makes, in the migration's transaction.
final class SQLiteStage: StageRows {
    private let stage: MigrationRoute.Stage
    private let connection: SQLiteConnection
    private let newLayout: SQLLayout
    private let earlier: SQLiteTransaction
    private let later: SQLiteTransaction
    private let counter: SQLiteMigrationFunctions.Counter
    private let inserter: StageInserter
    /// The statements that insert rows, by entity: written anew for each row they would take a sixth of a stage's time.
    private var insertions: [String: String] = [:]

    var old: any StoreReader { earlier }
    var new: any StoreReader { later }

    /// - Parameters:
    ///   - stage: The stage.
    ///   - names: What the earlier tables are called by now.
    ///   - dialect: The engine's.
    ///   - connection: The connection that migrates.
    ///   - counter: Counts the rows.
    init(
        _ stage: MigrationRoute.Stage, tables names: [String: String], dialect: any SQLDialect,
        on connection: SQLiteConnection, counter: SQLiteMigrationFunctions.Counter
    ) {
        self.stage = stage
        self.connection = connection
        self.counter = counter
        let mapping = stage.mapping
        let oldLayout = SQLLayout(model: mapping.source, dialect: dialect, tableNames: names)
        let newLayout = SQLLayout(model: mapping.destination, dialect: dialect)
        self.newLayout = newLayout
        earlier = SQLiteTransaction(layout: oldLayout, connection: connection)
        later = SQLiteTransaction(layout: newLayout, connection: connection)
        inserter = StageInserter(mapping.destination) { entity in
            let source = mapping.entity(named: entity)?.source
            let mark = try source.flatMap { try connection.number(oldLayout.markSelection, .string($0.name)) } ?? 1
            let greatest =
                try connection.number("SELECT max(\(newLayout.idColumn)) FROM \(newLayout.table(entity))") ?? 0
            return max(mark, greatest + 1)
        }
    }

    /// The next identifiers of the entities that got rows.
    var next: [String: Int64] { inserter.next }

    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64 {
        try write(try inserter.row(values, of: entity, id: id), try stage.mapping.destination.entity(named: entity))
    }

    private func write(_ row: StoredRow, _ entity: EntityDescription) throws -> Int64 {
        let statement = try connection.statement(insertion(entity))
        defer { statement.reset() }
        do {
            try statement.bind([.integer(row.id), .integer(row.version)] + row.values)
            _ = try statement.step()
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
        return row.id
    }

    private func insertion(_ entity: EntityDescription) -> String {
        if let sql = insertions[entity.name] { return sql }
        let sql = newLayout.insertion(entity)
        insertions[entity.name] = sql
        return sql
    }

    func insert(_ pair: JoinRow, of join: JoinDescription) throws {
        let statement = try connection.statement(newLayout.insertion(join))
        try statement.run(pair.values(of: join))
    }

    /// Makes the rows of an entity of those that the earlier one has, one after the other.
    func transform(_ mapping: EntityMapping) throws {
        guard let source = mapping.source, let transform = try stage.transforms[mapping.entity.name]?(self) else {
            return
        }
        let columns = source.columns.indices
        let mapper = try RowMapper(mapping, now: Date()) { entity, column, body in
            try earlier.fetch(StoreRequest(entity)) { row in
                if case .integer(let target) = try row.value(at: column) { body(row.rawID, target) }
                return .next
            }
        }
        guard let mapper else { return }
        try earlier.fetch(StoreRequest(source.name)) { [self] row in
            guard counter.add() else { throw CancellationError() }
            let old = StoredRow(id: row.rawID, version: row.version, values: try columns.map { try row.value(at: $0) })
            var values = mapper.values(of: old)
            guard try transform(old, &values) else { return .next }
            _ = try write(
                try inserter.row(values, of: mapping.entity.name, id: old.id, version: old.version), mapping.entity)
            return .next
        }
    }

    func finish() throws { try stage.finish?(self) }

    /// Refuses what the stage's code has left wrong.
    ///
    /// - Parameter options: What whoever opens the store lets happen.
    /// - Throws: ``PersistenceError`` for what leads nowhere, or to too few or too many.
    func check(_ options: MigrationOptions) throws {
        try connection.checkReferences("a stage of the migration leaves a reference to")
        try stage.checkCounts(in: later, options)
    }
}
