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
    private var writers: [String: Writer] = [:]

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
        try writer(entity).write(values, id: id)
    }

    private func writer(_ entity: String) throws -> Writer {
        if let writer = writers[entity] { return writer }
        let rows = try inserter.rows(of: entity)
        let writer = Writer(rows, try SQLiteStatement(newLayout.insertion(rows.entity), on: connection))
        writers[entity] = writer
        return writer
    }

    /// Writes the rows of one entity: neither its names nor its statement are looked up for a row.
    private final class Writer {
        private let rows: StageInserter.Rows
        private let statement: SQLiteStatement

        init(_ rows: StageInserter.Rows, _ statement: SQLiteStatement) {
            (self.rows, self.statement) = (rows, statement)
        }

        func write(_ values: consuming [StoredValue], id: Int64?, version: Int64 = 1) throws -> Int64 {
            let row = try rows.row(values, id: id, version: version)
            defer { statement.rewind() }
            do {
                try statement.bind(row.id, at: 1)
                try statement.bind(row.version, at: 2)
                for (index, value) in row.values.enumerated() { try statement.bind(value, at: Int32(index) + 3) }
                _ = try statement.step()
            } catch let error as PersistenceError where error.code == .uniqueness {
                throw error.namingRow(row, rows.entity)
            }
            return row.id
        }
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
        let writer = try writer(mapping.entity.name)
        try earlier.fetch(StoreRequest(source.name)) { [counter] row in
            guard counter.add() else { throw CancellationError() }
            let old = StoredRow(id: row.rawID, version: row.version, values: try columns.map { try row.value(at: $0) })
            var values = mapper.values(of: old)
            guard try transform(old, &values) else { return .next }
            _ = try writer.write(values, id: old.id, version: old.version)
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
