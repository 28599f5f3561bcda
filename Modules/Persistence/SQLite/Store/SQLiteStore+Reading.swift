import CStrataSQLite
public import StrataCore
import StrataSQL
public import StrataStoreKit

extension SQLiteStore {
    /// Passes the rows that a request selects to `body`, with one statement and one snapshot of the store.
    ///
    /// The rows are read while `body` runs, so a large result needs little memory, except for a sort without an index.
    /// `body` may call the store. While it runs, the log cannot be moved completely into the file, so it should not
    /// wait for long.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: A closure that receives each row, in the order of the request; the row is valid only during the call.
    /// - Throws: An error that `body` throws, or ``PersistenceError`` if a row cannot be read.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try pool.withConnection(keepsPages: true) { try $0.fetch(request, in: layout, body) }
    }

    /// Returns the number of rows that a request selects, including its limit and offset, with one statement.
    public func count(_ request: ResolvedRequest) throws -> Int {
        try pool.withConnection(keepsPages: true) { try $0.count(request, in: layout) }
    }

    /// Passes the values of each row or group that a selection selects to `body`, by one statement.
    public func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        try pool.withConnection(keepsPages: true) { try $0.select(selection, in: layout, body) }
    }

    /// Returns the references from rows to their parents that are found from some rows, by one recursive statement.
    public func edges(_ request: TreeRequest) throws -> [TreeEdge] {
        try pool.withConnection(keepsPages: true) { try $0.edges(request, in: layout) }
    }

    /// Returns a cursor over the rows that a request selects.
    ///
    /// The cursor holds one reading connection until its end or its release. All rows are those of one snapshot, and
    /// the log cannot be moved completely into the file meanwhile.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        let lease = try ReadLease(pool.connections)
        guard let cursor = try pool.cursor(request, in: layout, on: lease, ownsLease: true) else {
            throw closedError
        }
        return cursor
    }

    /// Returns SQLite's plan for a request with one step per line, for tests and for the analysis of slow fetches.
    ///
    /// ```swift
    /// let plan = try store.queryPlan(request)
    /// ```
    ///
    /// A step `SCAN Book` reads all rows of the entity, and a step `SEARCH Book USING INDEX …` uses an index. The text
    /// depends on the version of SQLite and on the statistics in the file. The request is not executed.
    ///
    /// - Parameter request: The request; its names must be those of the model.
    /// - Returns: The steps of the plan.
    /// - Throws: ``PersistenceError`` if the request is invalid for the model or the store cannot be read.
    public func queryPlan(_ request: StoreRequest) throws -> String {
        try explanation(of: try request.resolved(in: model))?.plan ?? ""
    }

    /// Returns the statement that fetches the rows of a request, with SQLite's plan; see ``queryPlan(_:)``.
    public func explanation(of request: ResolvedRequest) throws -> StatementExplanation? {
        try layout.explanation(of: request, plan: plan)
    }

    /// Returns the statement that reads the values of a selection, with SQLite's plan; see ``queryPlan(_:)``.
    public func explanation(of selection: ResolvedSelection) throws -> StatementExplanation? {
        try layout.explanation(of: selection, plan: plan)
    }

    /// Returns the steps of SQLite's plan for a statement.
    private func plan(_ sql: String, _ values: [StoredValue]) throws -> [String] {
        try pool.withConnection { connection in
            let statement = try connection.statement("EXPLAIN QUERY PLAN " + sql)
            defer { statement.reset() }
            try statement.bind(values)
            var steps: [String] = []
            while try statement.step() {
                if let text = sqlite3_column_text(statement.handle, 3) { steps.append(String(cString: text)) }
            }
            return steps
        }
    }
}

extension SQLiteConnection {
    /// Passes the rows that a request selects to `body`.
    func fetch(
        _ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow
    ) throws {
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.selection(request))
        defer { statement.reset() }
        try statement.bind(writer.values)
        let shape = shape(of: request.entity)
        let source = SQLiteRowSource(statement, shape, isAscending: request.isByIdentifier)
        let row = RowReader(source, source.cells)
        defer { source.forget() }
        while try statement.step() {
            try source.load()
            if case .stop = try body(row) { return }
        }
    }

    /// Returns the number of rows that a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int {
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.count(request))
        defer { statement.reset() }
        try statement.bind(writer.values)
        return try statement.step() ? Int(sqlite3_column_int64(statement.handle, 0)) : 0
    }
}

extension SQLiteStore {
    /// Passes the join rows of a many-to-many relationship to `body`, with one statement.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try pool.withConnection(keepsPages: true) { try $0.joins(request, in: layout, body) }
    }
}

extension SQLiteConnection {
    /// Passes the join rows that a request selects to `body`, with one statement.
    func joins(
        _ request: ResolvedJoinRequest, in layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request)
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            let ends = statement.integers(2)
            guard identifierRange.contains(ends[0]), identifierRange.contains(ends[1]) else {
                throw PersistenceError(
                    .corrupt,
                    "the join row \(ends[0]), \(ends[1]) of \(request.join.name) contains a value that is not an "
                        + "identifier; the file was damaged or "
                        + "changed by another program", entity: request.join.sourceEntity,
                    attribute: request.join.sourceRelationship)
            }
            let row = JoinRow(
                JoinPair(source: ends[0], target: ends[1]), sourcePosition: statement.optionalInteger(2),
                targetPosition: statement.optionalInteger(3))
            if case .stop = try body(row) { return }
        }
    }
}

extension SQLiteStatement {
    func optionalInteger(_ index: Int32) -> Int64? {
        sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
    }
}
