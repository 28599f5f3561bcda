import CStrataSQLite
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Passes the rows that a request selects to `body`, with one statement and one snapshot of the store.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try pool.withConnection(keepsPages: true) { try $0.fetch(request, in: layout, body) }
    }

    /// Returns the number of rows that a request selects, including its limit and offset, with one statement.
    public func count(_ request: ResolvedRequest) throws -> Int {
        try pool.withConnection(keepsPages: true) { try $0.count(request, in: layout) }
    }

    /// Returns a cursor over the rows that a request selects.
    ///
    /// The cursor holds one reading connection until its end or its release.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        let lease = try ReadLease(pool.connections)
        guard let cursor = try pool.cursor(request, in: layout, on: lease, ownsLease: true) else {
            throw closedError
        }
        return cursor
    }

    /// Returns SQLite's plan for a request with one step per line, for tests and for the analysis of slow fetches.
    public func queryPlan(_ request: StoreRequest) throws -> String {
        let request = try request.resolved(in: model)
        return try pool.withConnection { connection in
            var writer = SQLWriter(request.entity, layout)
            let statement = try connection.statement("EXPLAIN QUERY PLAN " + writer.selection(request))
            defer { statement.reset() }
            try statement.bind(writer.values)
            var steps: [String] = []
            while try statement.step() {
                if let text = sqlite3_column_text(statement.handle, 3) { steps.append(String(cString: text)) }
            }
            return steps.joined(separator: "\n")
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
