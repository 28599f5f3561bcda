import CStrataSQLite
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Gives the rows a request selects to `body`: one statement, one state of the store.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try pool.withConnection(keepsPages: true) { try $0.fetch(request, in: layout, body) }
    }

    /// The number of rows a request selects, its limit and offset included: one statement.
    public func count(_ request: ResolvedRequest) throws -> Int {
        try pool.withConnection(keepsPages: true) { try $0.count(request, in: layout) }
    }

    /// A cursor over the rows a request selects.
    ///
    /// It keeps one reading connection until its end or its release.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        let lease = try SQLiteLease(pool)
        guard let cursor = try SQLiteCursor(request, layout, on: lease, ownsLease: true) else {
            throw closedError
        }
        return cursor
    }

    /// The plan SQLite chose for a request, one step a line: for tests and for people who wonder why a fetch is slow.
    public func queryPlan(_ request: StoreRequest) throws -> String {
        let request = try request.resolved(in: model)
        var writer = SQLWriter(request.entity, layout)
        let sql = "EXPLAIN QUERY PLAN " + writer.selection(request)
        return try pool.withConnection { connection in
            let statement = try connection.statement(sql)
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
    /// Gives the rows a request selects to `body`.
    func fetch(
        _ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow
    ) throws {
        let shape = shape(of: request.entity)
        if request.comesInOrder, canTake(shape), try take(request, shape, in: layout, body) { return }
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.selection(request))
        defer { statement.reset() }
        try statement.bind(writer.values)
        let source = SQLiteRowSource(statement, shape, isAscending: request.isByIdentifier)
        let row = RowReader(source, source.cells)
        defer { source.forget() }
        while try statement.step() {
            try source.load()
            if case .stop = try body(row) { return }
        }
    }

    /// Gives the rows a request selects to `body`, whose values a function takes down: a quarter of SQLite's time less.
    ///
    /// - Returns: False, with nothing given, where SQLite sorts the rows: it calls the function before that.
    private func take(
        _ request: ResolvedRequest, _ shape: SQLiteRowShape, in layout: SQLLayout,
        _ body: (RowReader) throws -> FetchFlow
    ) throws -> Bool {
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.selection(request, giving: shape.expressions))
        if statement.hasSorted { return false }
        defer { statement.reset() }
        try statement.bind(writer.values)
        let rows = try SQLiteTakenRows(statement, shape, lookup: layout.selection(request.entity), on: self)
        defer { rows.forget() }
        let row = RowReader(rows, rows.cells)
        var isFirst = true
        while try rows.next() {
            if isFirst, statement.hasSorted { return false }
            isFirst = false
            if case .stop = try body(row) { return true }
        }
        return true
    }

    /// The number of rows a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int {
        var writer = SQLWriter(request.entity, layout)
        let statement = try statement(writer.count(request))
        defer { statement.reset() }
        try statement.bind(writer.values)
        return try statement.step() ? Int(sqlite3_column_int64(statement.handle, 0)) : 0
    }
}
