extension SQLiteStore {
    /// Inserts rows in one transaction.
    ///
    /// Indexes of an empty table are built after its rows.
    @discardableResult
    public func insertRows(of entity: String, _ body: (any RowInserter) throws -> Void) throws -> Int {
        let entity = try model.entity(named: entity)
        return try withWriter { connection in
            // References are checked once at the end, with the place of the row; SQLite would check each row and say nothing.
            try connection.execute("PRAGMA foreign_keys = OFF")
            defer { restoreForeignKeys(connection) }
            return try connection.inTransaction {
                let inserter = try SQLiteRowInserter(entity, layout, connection)
                try inserter.dropIndexesOfEmptyTable()
                try body(inserter)
                try inserter.finish()
                return inserter.count
            }
        }
    }

    private func restoreForeignKeys(_ connection: SQLiteConnection) {
        do {
            try connection.execute("PRAGMA foreign_keys = ON")
        } catch {
            // Outside a transaction the pragma cannot fail; a connection in which it did is not used again.
            connection.close()
        }
    }
}

/// Inserts rows through one prepared statement; notes those whose destination is not there yet.
final class SQLiteRowInserter: RowInserter {
    private static let pendingTable = "temp.strata_pending"
    /// How many destinations known to exist are remembered, in two generations: about 1 MiB.
    private static let rememberedDestinations = 16_384

    private let entity: EntityDescription
    private let layout: SQLiteLayout
    private let connection: SQLiteConnection
    private let insertion: SQLiteStatement
    private let references: [Reference]
    /// The first version of all rows of this insert.
    private let version = ChangeSet.freshVersion()
    private var nextID: Int64
    private var highestID: Int64 = 0
    private var droppedIndexes: [String] = []
    private var hasPending = false
    private(set) var count = 0

    /// One to-one relationship of the entity.
    private final class Reference {
        let index: Int
        let lookup: SQLiteStatement
        var known: Set<Int64> = []
        var olderKnown: Set<Int64> = []

        init(index: Int, lookup: SQLiteStatement) {
            self.index = index
            self.lookup = lookup
        }
    }

    init(_ entity: EntityDescription, _ layout: SQLiteLayout, _ connection: SQLiteConnection) throws {
        self.entity = entity
        self.layout = layout
        self.connection = connection
        insertion = try SQLiteStatement(layout.insertion(entity), on: connection)
        nextID = try SQLiteSequence(connection: connection, entity: entity.name).next()
        references = try entity.columns.indices.compactMap { index in
            guard let destination = entity.columns[index].destination else { return nil }
            let sql = "SELECT 1 FROM \(layout.table(destination)) WHERE \(layout.idColumn) = ?"
            return Reference(index: index, lookup: try SQLiteStatement(sql, on: connection))
        }
        if !references.isEmpty { try makePendingTable() }
    }

    private func makePendingTable() throws {
        try connection.execute("DROP TABLE IF EXISTS \(Self.pendingTable)")
        try connection.execute(
            "CREATE TABLE \(Self.pendingTable) (record INTEGER NOT NULL, line INTEGER NOT NULL, owner INTEGER NOT NULL, "
                + "property INTEGER NOT NULL, target INTEGER NOT NULL)")
    }

    func dropIndexesOfEmptyTable() throws {
        guard try connection.number("SELECT 1 FROM \(layout.table(entity.name)) LIMIT 1") == nil else { return }
        for index in layout.indexes(entity) {
            try connection.execute(index.removal)
            droppedIndexes.append(index.creation)
        }
    }

    func insert(id: Int64?, values: [StoredValue], place: RowPlace) throws -> Int64 {
        let id = id ?? nextID
        guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(entity.name) }
        do {
            defer { insertion.rewind() }
            try insertion.bind(id, at: 1)
            try insertion.bind(version, at: 2)
            for index in values.indices { try insertion.bind(values[index], at: Int32(index) + 3) }
            _ = try insertion.step()
        } catch var error as PersistenceError {
            if error.code == .uniqueness { error = error.namingRow(StoredRow(id: id, values: values), entity) }
            error.place = place
            throw error
        }
        highestID = max(highestID, id)
        nextID = max(nextID, id + 1)
        count += 1
        for reference in references {
            if case .integer(let target) = values[reference.index] { try note(reference, target, owner: id, place) }
        }
        return id
    }

    private func note(_ reference: Reference, _ target: Int64, owner: Int64, _ place: RowPlace) throws {
        if reference.known.contains(target) || reference.olderKnown.contains(target) { return }
        defer { reference.lookup.reset() }
        try reference.lookup.bind([.integer(target)])
        if try reference.lookup.step() {
            if reference.known.count >= Self.rememberedDestinations {
                reference.olderKnown = reference.known
                reference.known = []
            }
            reference.known.insert(target)
            return
        }
        hasPending = true
        try connection.run(
            "INSERT INTO \(Self.pendingTable) VALUES (?, ?, ?, ?, ?)", .integer(Int64(place.record)),
            .integer(Int64(place.line)),
            .integer(owner), .integer(Int64(reference.index)), .integer(target))
    }

    /// Checks the rows that were noted, raises the mark, and builds the indexes again.
    func finish() throws {
        if hasPending { try checkPending() }
        if !references.isEmpty { try connection.execute("DROP TABLE \(Self.pendingTable)") }
        if highestID > 0 { try SQLiteSequence(connection: connection, entity: entity.name).raise(above: highestID) }
        for creation in droppedIndexes { try connection.execute(creation) }
    }

    private func checkPending() throws {
        var first: (record: Int64, error: PersistenceError)?
        for reference in references {
            let destination = layout.table(entity.columns[reference.index].destination ?? "")
            let statement = try SQLiteStatement(
                """
                SELECT record, line, owner, target FROM \(Self.pendingTable) \
                WHERE property = ? AND NOT EXISTS (SELECT 1 FROM \(destination) WHERE \(layout.idColumn) = target) \
                ORDER BY record LIMIT 1
                """, on: connection)
            defer { statement.reset() }
            try statement.bind([.integer(Int64(reference.index))])
            guard try statement.step() else { continue }
            let row = statement.integers(4)
            if let first, first.record <= row[0] { continue }
            var error = PersistenceError.dangling(entity, reference.index, from: row[2], to: row[3])
            error.place = RowPlace(line: Int(row[1]), record: Int(row[0]))
            first = (row[0], error)
        }
        if let first { throw first.error }
    }
}
