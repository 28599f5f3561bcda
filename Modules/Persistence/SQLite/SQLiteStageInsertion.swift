import StrataCore
import StrataSQL

/// Writes the later rows of one entity in a stage: neither its names nor its statements are looked up for a row.
final class SQLiteStageInsertion: SQLStageInsertion {
    private let entity: EntityDescription
    private let connection: SQLiteConnection
    private let one: SQLiteStatement
    /// The same for several rows at once, as a statement's beginning and end cost as much as a row.
    private let group: SQLiteStatement
    private let groupSize: Int

    /// More rows in one statement gain nothing.
    private static let maximumGroup = 32
    /// A statement has no more parameters than this; SQLite's own limit is 32,766.
    private static let maximumParameters = 1_000

    init(_ entity: EntityDescription, _ layout: SQLLayout, on connection: SQLiteConnection) throws {
        (self.entity, self.connection) = (entity, connection)
        groupSize = max(1, min(Self.maximumGroup, Self.maximumParameters / (entity.columns.count + 2)))
        one = try SQLiteStatement(Self.failing(layout.insertion(entity)), on: connection)
        group = try SQLiteStatement(Self.failing(layout.insertion(entity, rows: groupSize)), on: connection)
    }

    /// The same without a journal of its own.
    ///
    /// Where it fails the rows before stay (sqlite.org/lang_conflict.html), and so their number says which row it was. The transaction is taken back anyway.
    private static func failing(_ insertion: String) -> String {
        "INSERT OR FAIL" + insertion.dropFirst("INSERT".count)
    }

    func write(_ row: StoredRow) throws { try run(one, [row]) }

    /// Writes rows in their order.
    ///
    /// - Throws: As the call with one row, for the first that cannot be written.
    func write(_ rows: [StoredRow]) throws {
        var first = 0
        while rows.count - first >= groupSize {
            try run(group, rows[first..<first + groupSize])
            first += groupSize
        }
        for row in rows[first...] { try run(one, [row]) }
        // What they were bound to may be long.
        group.reset()
        one.reset()
    }

    private func run(_ statement: SQLiteStatement, _ rows: ArraySlice<StoredRow>) throws {
        defer { statement.rewind() }
        var parameter: Int32 = 1
        for row in rows {
            try statement.bind(row.id, at: parameter)
            try statement.bind(row.version, at: parameter + 1)
            parameter += 2
            for index in row.values.indices {
                try statement.bind(row.values[index], at: parameter)
                parameter += 1
            }
        }
        do { _ = try statement.step() } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(rows[rows.startIndex + connection.changes], entity)
        }
    }
}
