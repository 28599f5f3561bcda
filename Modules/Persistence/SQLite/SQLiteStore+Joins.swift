import CStrataSQLite
public import StrataCore
import StrataSQL

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
