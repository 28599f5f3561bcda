#if PostgreSQL
import StrataCore
import StrataSQL

extension PostgreSQLConnection: SQLStageConnection {
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> PostgreSQLStageInsertion {
        PostgreSQLStageInsertion(entity, layout, on: self)
    }

    func stageRows(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: PostgreSQLStageInsertion
    ) throws -> PostgreSQLStageRows {
        try PostgreSQLStageRows(entity, layout, into: insertion, on: self)
    }

    /// References that are not defined yet are asked for by queries.
    func checkReferences(_ what: String, in layout: SQLLayout) throws {
        if let found = try firstDangling(in: layout) { throw found.error(what, path: place) }
    }
}

/// Writes the later rows of one entity in a stage.
final class PostgreSQLStageInsertion: SQLStageInsertion {
    private let entity: EntityDescription
    private let connection: PostgreSQLConnection
    private let insertion: String
    private let (table, columns): (String, String)

    init(_ entity: EntityDescription, _ layout: SQLLayout, on connection: PostgreSQLConnection) {
        (self.entity, self.connection) = (entity, connection)
        insertion = layout.insertion(entity)
        (table, columns) = (layout.table(entity.name), layout.rowColumns(entity))
    }

    /// Behind a savepoint, as the code may have another way where the row is refused.
    func write(_ row: StoredRow) throws {
        do {
            try connection.attempt {
                try connection.run(insertion, [.integer(row.id), .integer(row.version)] + row.values)
            }
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
    }

    /// Fewer go one by one.
    private static let fewestCopied = 4

    /// Writes rows in their order.
    ///
    /// - Throws: As the call with one row, for the first that cannot be written.
    func write(_ rows: [StoredRow]) throws {
        guard rows.count >= Self.fewestCopied else { return try rows.forEach(write) }
        do {
            try connection.attempt { try writeAtOnce(rows) }
        } catch let error as PersistenceError where error.code == .uniqueness {
            // Which of them it is shows when they come one by one.
            try rows.forEach(write)
            throw error
        }
    }

    private func writeAtOnce(_ rows: [StoredRow]) throws {
        try connection.copy(connection.copying(into: table, columns: columns)) { data in
            for row in rows {
                try data.beginRow(fieldCount: row.values.count + 2)
                data.append(row.id)
                data.append(row.version)
                for value in row.values { data.append(value) }
            }
        }
    }
}

/// The rows of one entity on their way through a stage's code: read by a cursor, written in blocks.
final class PostgreSQLStageRows: SQLStageRows {
    /// A block has so many rows.
    private static let blockSize = 2_048
    /// It has less where they are long: no row is added to a block that has so many bytes.
    private static let blockBytes = 1 << 20

    private let entity: EntityDescription
    private let rows: PostgreSQLRows
    private let insertion: PostgreSQLStageInsertion
    /// Rows that the code has made, and that are not written.
    private var made: [StoredRow] = []
    private var madeBytes = 0

    init(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: PostgreSQLStageInsertion,
        on connection: PostgreSQLConnection
    ) throws {
        (self.entity, self.insertion) = (entity, insertion)
        rows = try PostgreSQLRows(try StoreRequest(entity.name).resolved(in: layout.model), layout, on: connection)
    }

    func run(_ body: (StoredRow) throws -> StoredRow?) throws {
        defer { rows.end() }
        do {
            _ = try rows.read { row in
                if let row = try body(try row.stored(entity)) { try add(row) }
                return .next
            }
        } catch {
            // What is wrong with the rows before comes first, as if each had been written before the next was made.
            try settle()
            throw error
        }
        try settle()
    }

    private func add(_ row: StoredRow) throws {
        made.append(row)
        madeBytes += row.byteCount
        if made.count >= Self.blockSize || madeBytes >= Self.blockBytes { try settle() }
    }

    func settle() throws {
        let rows = made
        (made, madeBytes) = ([], 0)
        try insertion.write(rows)
    }
}
#endif
