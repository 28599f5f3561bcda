import CStrataSQLite
public import StrataCore

extension SQLiteStore {
    /// Gives the rows a request selects to `body`: one statement, one state of the store.
    public func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        let entity = try request.validate(in: model)
        var translator = SQLiteTranslator(entity, layout)
        let sql = try translator.selection(request)
        try pool.withConnection { try $0.fetch(sql, values: translator.values, entity: entity, body) }
    }

    /// The number of rows a request selects, its limit and offset included: one statement.
    public func count(_ request: StoreRequest) throws -> Int {
        let entity = try request.validate(in: model)
        var translator = SQLiteTranslator(entity, layout)
        let sql = try translator.count(request)
        return try pool.withConnection { connection in
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            try statement.bind(translator.values)
            return try statement.step() ? Int(sqlite3_column_int64(statement.handle, 0)) : 0
        }
    }

    /// A cursor over the rows a request selects.
    ///
    /// It keeps one reading connection until its end or its release.
    public func openCursor(_ request: StoreRequest) throws -> any RowCursor {
        let entity = try request.validate(in: model)
        var translator = SQLiteTranslator(entity, layout)
        let sql = try translator.selection(request)
        let lease = try SQLiteLease(pool)
        guard let cursor = try SQLiteCursor(sql, values: translator.values, entity: entity, on: lease, ownsLease: true)
        else {
            throw closedError
        }
        return cursor
    }

    /// The plan SQLite chose for a request, one step a line: for tests and for people who wonder why a fetch is slow.
    public func queryPlan(_ request: StoreRequest) throws -> String {
        let entity = try request.validate(in: model)
        var translator = SQLiteTranslator(entity, layout)
        let sql = "EXPLAIN QUERY PLAN " + (try translator.selection(request))
        return try pool.withConnection { connection in
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            try statement.bind(translator.values)
            var steps: [String] = []
            while try statement.step() {
                if let text = sqlite3_column_text(statement.handle, 3) { steps.append(String(cString: text)) }
            }
            return steps.joined(separator: "\n")
        }
    }
}

extension SQLiteConnection {
    /// Gives the rows of a statement to `body`.
    func fetch(
        _ sql: String, values: [StoredValue], entity: EntityDescription, _ body: (RowReader) throws -> FetchFlow
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        let row = RowReader(SQLiteRowSource(statement, entity))
        while try statement.step() {
            if case .stop = try body(row) { return }
        }
    }
}
