import Foundation
import StrataCore

/// References to rows that are not there yet, in a temporary table, checked when all rows are written.
///
/// The table is the connection's own, so that a million forward references need no memory.
final class SQLitePendingReferences {
    static let table = "temp.strata_pending"
    static let joinTable = "temp.strata_pending_joins"
    private static let keptTable = "temp.strata_kept_"

    let layout: SQLiteLayout
    let connection: SQLiteConnection
    private var hasReferences = false
    private var hasJoins = false
    /// Entities of which rows are kept as they were before they were updated.
    private var keptEntities: Set<String> = []
    /// Whether a row was put back since this was last asked.
    private var havePutBack = false

    init(_ layout: SQLiteLayout, _ connection: SQLiteConnection) {
        self.layout = layout
        self.connection = connection
    }

    /// Notes a reference.
    func note(_ reference: PendingReference, note: ArraySlice<UInt8>) throws {
        if !hasReferences {
            try connection.execute("DROP TABLE IF EXISTS \(Self.table)")
            try connection.execute(
                "CREATE TABLE \(Self.table) (source INTEGER, record INTEGER, line INTEGER, inserter INTEGER, "
                    + "property INTEGER, owner INTEGER, target INTEGER, isNew INTEGER, note BLOB)")
            hasReferences = true
        }
        try connection.run(
            "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .integer(Int64(reference.location.source)), .integer(Int64(reference.location.record)),
            .integer(Int64(reference.location.line)), .integer(Int64(reference.inserter)),
            .integer(Int64(reference.column)), .integer(reference.owner), .integer(reference.target),
            .boolean(reference.isNew), note.isEmpty ? .null : .binary(Data(note)))
    }

    /// Notes a pair with an end that is not there.
    package func note(_ pair: JoinPair, of join: JoinDescription, _ location: RowLocation) throws {
        if !hasJoins {
            try connection.execute("DROP TABLE IF EXISTS \(Self.joinTable)")
            try connection.execute(
                "CREATE TABLE \(Self.joinTable) (source INTEGER, record INTEGER, line INTEGER, name TEXT, "
                    + "\"from\" INTEGER, \"to\" INTEGER)")
            hasJoins = true
        }
        try connection.run(
            "INSERT INTO \(Self.joinTable) VALUES (?, ?, ?, ?, ?, ?)", .integer(Int64(location.source)),
            .integer(Int64(location.record)), .integer(Int64(location.line)), .string(join.name), .integer(pair.source),
            .integer(pair.target))
    }

    /// Keeps a row as it is before its first update, so that the update can be taken back.
    func keep(_ id: Int64, of entity: EntityDescription) throws {
        let kept = keptTable(entity)
        let table = layout.table(entity.name)
        if keptEntities.insert(entity.name).inserted {
            try connection.execute("DROP TABLE IF EXISTS \(kept)")
            try connection.execute("CREATE TABLE \(kept) AS SELECT * FROM \(table) WHERE 0")
            // A key of its own, so that the first state is the one that stays.
            try connection.execute(
                "CREATE UNIQUE INDEX temp.\(SQLiteLayout.quoted("strata_kept_id_\(entity.name)")) ON "
                    + "\(SQLiteLayout.quoted("strata_kept_\(entity.name)")) (\(layout.idColumn))")
        }
        try connection.run(
            "INSERT OR IGNORE INTO \(kept) SELECT * FROM \(table) WHERE \(layout.idColumn) = ?", .integer(id))
    }

    private func keptTable(_ entity: EntityDescription) -> String {
        "temp." + SQLiteLayout.quoted("strata_kept_\(entity.name)")
    }

    /// Does with each reference that leads nowhere what its inserter's options say.
    ///
    /// - Throws: ``PersistenceError`` for the first, in the order of the input, that is an error.
    func check(_ inserters: [SQLiteRowInserter]) throws {
        if hasReferences {
            try reject(inserters)
            try makeNull(inserters)
            try findFirst(inserters)
        }
        if hasJoins { try checkJoins() }
        if hasReferences { try connection.execute("DROP TABLE \(Self.table)") }
        if hasJoins { try connection.execute("DROP TABLE \(Self.joinTable)") }
        for entity in layout.model.entities where keptEntities.contains(entity.name) {
            try connection.execute("DROP TABLE \(keptTable(entity))")
        }
        (hasReferences, hasJoins, keptEntities) = (false, false, [])
    }

    // MARK: - Errors

    private func isMissing(_ destination: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(layout.table(destination)) WHERE \(layout.idColumn) = p.target)"
    }

    /// Whether the owner still refers to the target: a later row may have changed it.
    private func isCurrent(_ entity: EntityDescription, _ column: Int) -> String {
        let name = layout.column(entity.columns[column].name)
        return "EXISTS (SELECT 1 FROM \(layout.table(entity.name)) AS o WHERE o.\(layout.idColumn) = p.owner "
            + "AND o.\(name) = p.target)"
    }

    private func findFirst(_ inserters: [SQLiteRowInserter]) throws {
        var first: (location: RowLocation, error: PersistenceError)?
        for inserter in inserters where inserter.options.onMissingReference == .error {
            try forEachReference(inserter) { column, destination in
                let statement = try connection.statement(
                    """
                    SELECT source, record, line, owner, target FROM \(Self.table) AS p \
                    WHERE inserter = ? AND property = ? AND \(isMissing(destination)) \
                    AND \(isCurrent(inserter.entity, column)) ORDER BY source, record LIMIT 1
                    """)
                defer { statement.reset() }
                try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))])
                guard try statement.step() else { return }
                let row = statement.integers(5)
                let location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
                if let first, first.location <= location { return }
                first = (location, .dangling(inserter.entity, column, from: row[3], to: row[4]))
            }
        }
        guard var first else { return }
        first.error.location = first.location
        throw first.error
    }

    private func forEachReference(_ inserter: SQLiteRowInserter, _ body: (Int, String) throws -> Void) throws {
        for column in inserter.entity.columns.indices {
            if let destination = inserter.entity.columns[column].destination { try body(column, destination) }
        }
    }

    private func checkJoins() throws {
        for join in layout.model.joins {
            let ends = [("p.\"from\"", join.sourceEntity, false), ("p.\"to\"", join.targetEntity, true)]
            for (end, entity, isTargetMissing) in ends {
                let statement = try connection.statement(
                    """
                    SELECT source, record, line, "from", "to" FROM \(Self.joinTable) AS p WHERE name = ? AND NOT EXISTS \
                    (SELECT 1 FROM \(layout.table(entity)) AS e WHERE e.\(layout.idColumn) = \(end)) AND EXISTS \
                    (SELECT 1 FROM \(layout.table(join)) AS l WHERE l.\(SQLiteLayout.sourceColumn) = p."from" \
                    AND l.\(SQLiteLayout.targetColumn) = p."to") ORDER BY source, record LIMIT 1
                    """)
                defer { statement.reset() }
                try statement.bind([.string(join.name)])
                guard try statement.step() else { continue }
                let row = statement.integers(5)
                var error = PersistenceError.dangling(
                    join, JoinPair(source: row[3], target: row[4]), isTargetMissing: isTargetMissing)
                error.location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
                throw error
            }
        }
    }

    // MARK: - Null

    private func makeNull(_ inserters: [SQLiteRowInserter]) throws {
        for inserter in inserters where inserter.options.onMissingReference == .null {
            try forEachReference(inserter) { column, destination in
                guard inserter.entity.columns[column].isOptional else { return }
                let name = layout.column(inserter.entity.columns[column].name)
                try connection.run(
                    """
                    UPDATE \(layout.table(inserter.entity.name)) SET \(name) = NULL WHERE \(layout.idColumn) IN \
                    (SELECT owner FROM \(Self.table) AS p WHERE inserter = ? AND property = ? AND \(isMissing(destination)) \
                    AND \(isCurrent(inserter.entity, column)))
                    """, .integer(Int64(inserter.number)), .integer(Int64(column)))
                inserter.counts.nulledReferences += connection.changes
            }
        }
        // Of a mandatory reference nothing can be made but an error.
        try findFirstMandatory(inserters.filter { $0.options.onMissingReference == .null })
    }

    private func findFirstMandatory(_ inserters: [SQLiteRowInserter]) throws {
        for inserter in inserters {
            try forEachReference(inserter) { column, destination in
                guard !inserter.entity.columns[column].isOptional else { return }
                let statement = try connection.statement(
                    """
                    SELECT source, record, line, owner, target FROM \(Self.table) AS p WHERE inserter = ? AND property = ? \
                    AND \(isMissing(destination)) AND \(isCurrent(inserter.entity, column)) \
                    ORDER BY source, record LIMIT 1
                    """)
                defer { statement.reset() }
                try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))])
                guard try statement.step() else { return }
                let row = statement.integers(5)
                var error = PersistenceError.dangling(inserter.entity, column, from: row[3], to: row[4])
                error.location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
                throw error
            }
        }
    }

    // MARK: - Rejecting

    /// Takes out the rows whose references lead nowhere, and the rows that refer to those, and so on.
    private func reject(_ inserters: [SQLiteRowInserter]) throws {
        guard inserters.contains(where: { $0.options.onMissingReference == .reject }) else { return }
        try connection.execute("CREATE INDEX temp.strata_pending_targets ON strata_pending (target)")
        // A row that was put back may lead nowhere again.
        repeat {
            havePutBack = false
            try rejectOnce(inserters)
        } while havePutBack
    }

    private func rejectOnce(_ inserters: [SQLiteRowInserter]) throws {
        var waiting: [(entity: String, id: Int64)] = []
        for inserter in inserters where inserter.options.onMissingReference == .reject {
            try forEachReference(inserter) { column, destination in
                let condition = "\(isMissing(destination)) AND \(isCurrent(inserter.entity, column))"
                try takeOut(inserter, column: column, where: condition, values: [], into: &waiting)
            }
        }
        while let gone = waiting.popLast() {
            for inserter in inserters where inserter.options.onMissingReference == .reject {
                try forEachReference(inserter) { column, destination in
                    guard destination == gone.entity else { return }
                    let condition = "p.target = ? AND \(isCurrent(inserter.entity, column))"
                    try takeOut(inserter, column: column, where: condition, values: [.integer(gone.id)], into: &waiting)
                }
            }
        }
    }

    private func takeOut(
        _ inserter: SQLiteRowInserter, column: Int, where condition: String, values: [StoredValue],
        into waiting: inout [(entity: String, id: Int64)]
    ) throws {
        let statement = try SQLiteStatement(
            """
            SELECT source, record, line, owner, target, isNew, p.rowid, note FROM \(Self.table) AS p \
            WHERE inserter = ? AND property = ? AND \(condition) ORDER BY source, record
            """, on: connection)
        defer { statement.reset() }
        try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))] + values)
        let entity = inserter.entity
        let removal = "DELETE FROM \(layout.table(entity.name)) WHERE \(layout.idColumn) = ?"
        while try statement.step() {
            let row = statement.integers(7)
            let note = SQLiteLayout.read(statement.handle, 7, as: .binary)
            let location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
            if row[5] != 0 {
                try connection.run(removal, .integer(row[3]))
                guard connection.changes > 0 else { continue }
                inserter.counts.inserted -= 1
                try removePairs(of: row[3], entity)
                try inserter.writer.keyCache(of: entity.name).remove(row[3])
                waiting.append((entity.name, row[3]))
            } else {
                try putBack(row[3], of: entity, location)
                inserter.counts.updated -= 1
            }
            try connection.run("DELETE FROM \(Self.table) WHERE rowid = ?", .integer(row[6]))
            var bytes: [UInt8] = []
            if case .binary(let data)? = note { bytes = Array(data) }
            try inserter.refuse(.dangling(entity, column, from: row[3], to: row[4]), at: location, note: bytes)
        }
    }

    /// Makes a row what it was before its first update, unless it was new and is gone.
    private func putBack(_ id: Int64, of entity: EntityDescription, _ location: RowLocation) throws {
        let table = layout.table(entity.name)
        try connection.run("DELETE FROM \(table) WHERE \(layout.idColumn) = ?", .integer(id))
        guard connection.changes > 0 else { return }
        havePutBack = true
        do {
            try connection.run(
                "INSERT INTO \(table) SELECT * FROM \(keptTable(entity)) WHERE \(layout.idColumn) = ?", .integer(id))
        } catch var error as PersistenceError where error.code == .uniqueness {
            // Another row of the input has the value meanwhile: which of the two is wrong, nobody knows.
            error.message = "object \(id): \(error.message)"
            error.location = location
            throw error
        }
    }

    private func removePairs(of id: Int64, _ entity: EntityDescription) throws {
        for join in layout.model.joins {
            for (column, name) in [
                (SQLiteLayout.sourceColumn, join.sourceEntity), (SQLiteLayout.targetColumn, join.targetEntity),
            ] where name == entity.name {
                try connection.run("DELETE FROM \(layout.table(join)) WHERE \(column) = ?", .integer(id))
            }
        }
    }
}
