#if PostgreSQL
public import StrataCore
public import StrataSQL
public import StrataStoreKit
import Synchronization

extension PostgreSQLStore {
    /// Runs `body` in a transaction that reads one snapshot of the store.
    private func read<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try pool.withConnection { connection in
            try connection.naming(generation) {
                try connection.inTransaction(Self.beginning(generation), writes: false) { try body(connection) }
            }
        }
    }

    /// Returns the statements that begin a transaction that reads one snapshot of the store.
    static func beginning(_ generation: PostgreSQLGeneration?) -> [String] {
        let question = generation.map { ["SELECT \($0.column)"] } ?? []
        return [beginningSnapshot, PostgreSQLGeneration.lock] + question
    }

    /// The statement that begins a transaction that reads one snapshot; it does not wait for a running migration.
    static let beginningSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Passes the rows that a request selects to `body`, from one snapshot of the store.
    ///
    /// If the request selects only few rows, for example because it lists identifiers, the method reads them by one
    /// message, without a transaction.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        guard let most = request.mostRows, most <= PostgreSQLBlocks.firstSize, !request.mayFail else {
            return try read { try $0.fetch(request, in: layout, body) }
        }
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.selection(request, alongside: [generation?.column].compactMap(\.self))
        try Self.read(try answer(sql, writer.values), of: request.entity, body)
    }

    /// Passes the row with an identifier to `body`, by a prepared statement.
    public func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        let sql = try lookups[entity.name] ?? layout.selection(try model.entity(named: entity.name))
        try Self.read(try answer(sql, [.integer(id)]), of: entity) { row in
            try body(row)
            return .stop
        }
    }

    private static func read(
        _ rows: PostgreSQLResult, of entity: EntityDescription, _ body: (RowReader) throws -> FetchFlow
    ) throws {
        let source = PostgreSQLRowSource(entity)
        defer { source.forget() }
        let reader = RowReader(source)
        for row in 0..<rows.rowCount {
            try source.move(to: row, of: rows)
            if case .stop = try body(reader) { return }
        }
    }

    /// Returns the count of rows that a request selects, including its limit and offset, by one statement.
    public func count(_ request: ResolvedRequest) throws -> Int {
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.count(request, alongside: [generation?.column].compactMap(\.self))
        let answer = try answer(sql, writer.values)
        return withExtendedLifetime(answer) { Int(answer.field(row: 0, column: 0).integer ?? 0) }
    }

    /// Passes the values of each row or group that a selection selects to `body`, from one snapshot of the store.
    ///
    /// The groups are those of one message; the values of rows are read by a cursor.
    public func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        guard selection.grouping != nil else {
            return try read { try $0.select(selection, in: layout, body) }
        }
        var writer = SQLWriter(selection.rows.entity, layout)
        let sql = writer.selection(selection, alongside: [generation?.column].compactMap(\.self))
        try PostgreSQLConnection.read(try answer(sql, writer.values), of: selection, body)
    }

    /// Returns the references from rows to their parents that are found from some rows, by one recursive statement.
    public func edges(_ request: TreeRequest) throws -> [TreeEdge] {
        try read { try $0.edges(request, in: layout) }
    }

    /// Returns all result rows of one statement.
    private func answer(_ sql: String, _ values: [StoredValue]) throws -> PostgreSQLResult {
        try pool.answer { connection in try connection.naming(generation) { try connection.query(sql, values) } }
    }

    /// Returns the statement that fetches the rows of a request, with the plan of the server.
    public func explanation(of request: ResolvedRequest) throws -> StatementExplanation? {
        try layout.explanation(of: request, plan: plan)
    }

    /// Returns the statement that reads the values of a selection, with the plan of the server.
    public func explanation(of selection: ResolvedSelection) throws -> StatementExplanation? {
        try layout.explanation(of: selection, plan: plan)
    }

    /// Returns the steps of the server's plan for a statement.
    private func plan(_ sql: String, _ values: [StoredValue]) throws -> [String] {
        let answer = try answer("EXPLAIN " + sql, values)
        return withExtendedLifetime(answer) {
            (0..<answer.rowCount).map { row in
                answer.field(row: row, column: 0).bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
            }
        }
    }

    /// Passes the join rows of a many-to-many relationship to `body`.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try read { try $0.joins(request, in: layout, body) }
    }

    /// Returns a cursor over the rows that a request selects.
    ///
    /// The cursor uses one connection until it is at its end or is released.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        guard let cursor = try cursor(request, on: try pool.lease(generation), ownsLease: true) else {
            throw pool.connections.closedError
        }
        return cursor
    }

    /// The maximum count of readers that can read a snapshot concurrently.
    ///
    /// If the server cannot share a snapshot between connections, several readers use one connection alternately.
    public var concurrentReaders: Int {
        pool.settings.server.capabilities.contains(.exportedSnapshots) ? pool.settings.poolSize : 1
    }

    /// Opens a count of snapshots, all of which read the same state of the store.
    ///
    /// The first snapshot is exported to the connections of the others. If the server cannot export snapshots, all of
    /// them use one connection alternately.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let first = try pool.lease(generation)
        guard pool.settings.server.capabilities.contains(.exportedSnapshots) else {
            first.share(by: count)
            return (0..<count).map { _ in snapshot(on: first) }
        }
        let name = try first.withConnection { try $0.texts("SELECT pg_export_snapshot()").first }
        let others = try (1..<count).map { _ in try pool.lease(generation, snapshot: name ?? nil) }
        return ([first] + others).map(snapshot(on:))
    }

    private func snapshot(on lease: ReadLease<PostgreSQLConnection>) -> SQLSnapshot<PostgreSQLConnection> {
        SQLSnapshot(layout, lease) { [self] request, lease in try cursor(request, on: lease, ownsLease: false) }
    }

    /// Returns a cursor over the rows of a request, or `nil` if the leased connection was returned to its pool.
    private func cursor(
        _ request: ResolvedRequest, on lease: ReadLease<PostgreSQLConnection>, ownsLease: Bool
    ) throws -> SQLCursor<PostgreSQLConnection>? {
        try SQLCursor(on: lease, ownsLease: ownsLease) { try PostgreSQLRows(request, layout, on: $0) }
    }
}

extension PostgreSQLPool {
    /// Returns a lease whose transaction reads the current state of the store, or the snapshot that another lease has
    /// exported.
    func lease(
        _ generation: PostgreSQLGeneration?, snapshot: String? = nil
    ) throws -> ReadLease<PostgreSQLConnection> {
        try ReadLease(connections) { connection in
            var beginning = PostgreSQLStore.beginning(generation)
            // The server chose the name of the snapshot, which consists of letters, digits and hyphens. The statement
            // must precede the first read.
            if let snapshot { beginning.insert("SET TRANSACTION SNAPSHOT '\(snapshot)'", at: 1) }
            _ = try connection.naming(generation) { try connection.executeAll(beginning) }
        }
    }
}
#endif
