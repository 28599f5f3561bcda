import Foundation
import StrataCore
import StrataStoreKit

/// The old rows that the user code of a migration stage reads, and the new rows that it creates, in the migration's
/// transaction.
final class SQLStage<Connection: SQLStageConnection>: StageRows {
    private let stage: MigrationRoute.Stage
    private let connection: Connection
    private let newLayout: SQLLayout
    private let earlier: SQLTransaction<Connection>
    private let later: SQLTransaction<Connection>
    private let counter: SQLMigrationCounter
    private let inserter: StageInserter
    private var writers: [String: Writer] = [:]
    /// The running transformation of one entity's rows; `nil` if none is running.
    private var running: SQLStageRows<Connection>?

    private(set) lazy var old: any StoreReader = Settled(earlier, self)
    private(set) lazy var new: any StoreReader = Settled(later, self)

    /// The two objects that check and write the new rows of one entity.
    private typealias Writer = (rows: StageInserter.Rows, insertion: Connection.Insertion)

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - stage: The migration stage whose user code runs.
    ///   - options: The migration options, which define whether rows that break rules may remain.
    ///   - names: The current names of the old tables, by their names in the old model.
    ///   - dialect: The engine's dialect.
    ///   - connection: The connection on which the migration runs.
    ///   - counter: The counter of written rows.
    init(
        _ stage: MigrationRoute.Stage, _ options: MigrationOptions, tables names: [String: String],
        dialect: any SQLDialect,
        on connection: Connection, counter: SQLMigrationCounter
    ) {
        self.stage = stage
        self.connection = connection
        self.counter = counter
        let mapping = stage.mapping
        let oldLayout = SQLLayout(model: mapping.source, dialect: dialect, tableNames: names)
        let newLayout = SQLLayout(model: mapping.destination, dialect: dialect)
        self.newLayout = newLayout
        earlier = SQLTransaction(layout: oldLayout, connection: connection)
        later = SQLTransaction(layout: newLayout, connection: connection)
        inserter = StageInserter(mapping.destination, options) { entity in
            let source = mapping.entity(named: entity)?.source
            let mark = try source.flatMap { try connection.number(oldLayout.markSelection, .string($0.name)) } ?? 1
            let greatest =
                try connection.number("SELECT max(\(newLayout.idColumn)) FROM \(newLayout.table(entity))") ?? 0
            // Rows that the code creates during the mapping must not get the identifier of a mapped row.
            var mapped: Int64 = 0
            if let (source, column) = mapping.renumbering(ofEntity: entity) {
                let name = SQLLayout.quoted(source.columns[column].name)
                mapped = try connection.number("SELECT max(\(name)) FROM \(oldLayout.table(source.name))") ?? 0
            }
            return max(mark, greatest + 1, mapped + 1)
        }
    }

    /// The next identifiers of the entities that received new rows, by the entities' names.
    var next: [String: Int64] { inserter.next }

    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64 {
        try settle()
        let writer = try writer(entity)
        let row = try writer.rows.row(values, id: id)
        try writer.insertion.write(row)
        return row.id
    }

    /// Writes the rows that the user code has created and that are not written yet.
    fileprivate func settle() throws { try running?.settle() }

    private func writer(_ entity: String) throws -> Writer {
        if let writer = writers[entity] { return writer }
        let rows = try inserter.rows(of: entity)
        let writer = (rows, try connection.stageInsertion(rows.entity, newLayout))
        writers[entity] = writer
        return writer
    }

    func insert(_ pair: JoinRow, of join: JoinDescription) throws {
        try settle()
        try connection.run(newLayout.insertion(join), pair.values(of: join))
    }

    /// Runs the user code that creates the rows of an entity from its old rows, one after the other.
    func transform(_ mapping: EntityMapping) throws {
        guard let source = mapping.source else { return }
        let transform = try stage.transforms[mapping.entity.name]?(self)
        let mapper = try RowMapper(mapping, in: stage.mapping, now: Date()) { entity, columns, body in
            try earlier.fetch(StoreRequest(entity)) { row in
                body(row.rawID, try columns.map { try row.value(at: $0) })
                return .next
            }
        }
        guard let mapper else { return }
        let writer = try writer(mapping.entity.name)
        let running = SQLStageRows(source, earlier.layout, into: writer.insertion, on: connection)
        self.running = running
        defer { self.running = nil }
        try running.run { [counter] old in
            guard counter.add() else { throw CancellationError() }
            var values = mapper.values(of: old)
            if let transform, try !transform(old, &values) { return nil }
            return try writer.rows.row(
                values, id: mapper.identifier(of: old), version: old.version, isMapped: transform == nil)
        }
    }

    func finish() throws { try stage.finish?(self) }

    /// Throws if the new rows that the user code has created are invalid.
    ///
    /// - Parameter options: The caller's options for the migration.
    /// - Throws: ``PersistenceError`` if a reference is dangling or a relationship has too few or too many objects.
    func check(_ options: MigrationOptions) throws {
        try connection.checkReferences("a stage of the migration leaves a reference to", in: newLayout)
        try stage.checkCounts(in: later, options)
    }
}

/// A reader for the user code of a stage, which first writes all rows that the code has created.
private final class Settled<Connection: SQLStageConnection>: StoreReader {
    private let reader: SQLTransaction<Connection>
    private unowned let stage: SQLStage<Connection>

    init(_ reader: SQLTransaction<Connection>, _ stage: SQLStage<Connection>) {
        (self.reader, self.stage) = (reader, stage)
    }

    var model: ManagedObjectModel { reader.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try stage.settle()
        try reader.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int {
        try stage.settle()
        return try reader.count(request)
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        try stage.settle()
        return try reader.openCursor(request)
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try stage.settle()
        try reader.joins(request, body)
    }
}
