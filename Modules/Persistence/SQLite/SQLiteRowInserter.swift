import CStrataSQLite
import StrataCore
import StrataSQL

/// Writes the rows of one entity through prepared statements that are bound to the block's own bytes.
final class SQLiteRowInserter: RowInserter {
    /// More rows in one statement gain nothing.
    private static let maximumGroup = 32
    /// A statement has no more parameters than this; SQLite's own limit is 32,766.
    private static let maximumParameters = 1_000

    let entity: EntityDescription
    let options: InsertOptions
    /// Its number among the writer's inserters.
    let number: Int
    var counts = InsertCounts()
    private(set) var updated = ChangedIdentifiers.none

    unowned let writer: SQLiteRowWriter
    /// Whether rows of it may be taken out again at the end.
    let mayTakeOut: Bool
    let defaults: RowDefaults
    /// `nil` at the end: statements are given back while the connection is still the writer's.
    private var insertion: SQLiteStatement?
    /// The same for several rows at once: a third less time than one by one, as a statement's beginning and end cost as much as a row.
    private var groupInsertion: SQLiteStatement?
    private let groupSize: Int
    private var references: [Reference]
    private let requiredColumns: [Int]
    /// The first version of all rows of this insert.
    private let version = ChangeSet.freshVersion()
    private lazy var conflicts = SQLiteRowConflicts(self)
    /// What stands for objects that came and were another's already, by the column that leads to it: no reference that leads nowhere.
    var refusedTargets: [(column: Int, target: Int64)] = []
    /// Whether rows of this entity, or of those it refers to, may be taken out again at the end.
    private var notesEverything = false

    /// One to-one relationship of the entity.
    private struct Reference {
        let column: Int
        let destination: String
        let keyCache: SQLiteForeignKeyCache
    }

    init(_ entity: EntityDescription, options: InsertOptions, number: Int, writer: SQLiteRowWriter) throws {
        self.entity = entity
        self.options = options
        mayTakeOut = options.mayTakeOut(entity)
        self.number = number
        self.writer = writer
        defaults = RowDefaults(entity)
        requiredColumns = entity.requiredColumns
        groupSize = max(1, min(Self.maximumGroup, Self.maximumParameters / (entity.columns.count + 2)))
        insertion = try SQLiteStatement(writer.layout.insertion(entity), on: writer.connection)
        references = try entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination else { return nil }
            return Reference(column: column, destination: destination, keyCache: try writer.keyCache(of: destination))
        }
    }

    func insert(_ block: inout RowBlock) throws {
        guard block.columnCount == entity.columns.count else {
            throw PersistenceError.miscounted(block.columnCount, entity)
        }
        guard insertion != nil else { throw PersistenceError.transactionIsOver }
        try writer.connection.checkInTransaction()
        notesEverything = references.contains { writer.mayTakeOut($0.destination) }
        var nextID = try writer.nextID(of: entity.name)
        let ownKeyCache = writer.existingKeyCache(of: entity.name)
        var ids = block.ids
        block.ids = []
        let asksOutcomes = block.asksOutcomes
        var outcomes: [RowOutcome] = []
        defer {
            block.ids = ids
            block.outcomes = outcomes
            writer.raiseNextID(of: entity.name, to: nextID)
            // What was bound lies in the block, whose memory is used again.
            insertion?.reset()
        }
        let rows = BlockRows(block)
        var row = 0
        while row < ids.count {
            if options.onConflict == .abort, ids.count - row >= groupSize, groupSize > 1,
                try insertGroup(rows, first: row, ids: &ids, nextID: &nextID)
            {
                for member in row..<row + groupSize {
                    try didInsert(rows, row: member, id: ids[member], ownKeyCache: ownKeyCache)
                }
                row += groupSize
                if asksOutcomes { outcomes += repeatElement(.inserted, count: groupSize) }
                continue
            }
            // Where one of a group is refused, the others are inserted one by one to find out which.
            for member in row..<min(row + groupSize, ids.count) {
                let before = asksOutcomes ? counts : InsertCounts()
                try insertOne(rows, row: member, givenID: &ids[member], nextID: &nextID, ownKeyCache: ownKeyCache)
                if asksOutcomes { outcomes.append(RowOutcome(of: counts, since: before)) }
            }
            row += groupSize
        }
    }

    private func insertOne(
        _ rows: borrowing BlockRows, row: Int, givenID: inout Int64, nextID: inout Int64,
        ownKeyCache: SQLiteForeignKeyCache?
    ) throws {
        let given = givenID
        do throws(PersistenceError) {
            if options.onConflict != .abort {
                if let existing = try rethrowing({ try conflicts.resolve(rows, row: row, given: given) }) {
                    givenID = existing
                    return
                }
                try checkComplete(rows, row: row, id: given)
            }
            let id = given == 0 ? nextID : given
            guard identifierRange.contains(id) else { throw .identifiersExhausted(entity.name) }
            try insertRow(rows, row: row, id: id)
            givenID = id
            nextID = max(nextID, id + 1)
            try rethrowing { try didInsert(rows, row: row, id: id, ownKeyCache: ownKeyCache) }
        } catch {
            try refuse(error, rows: rows, row: row)
        }
    }

    @inline(__always)
    private func didInsert(
        _ rows: borrowing BlockRows, row: Int, id: Int64, ownKeyCache: SQLiteForeignKeyCache?
    ) throws {
        counts.inserted += 1
        ownKeyCache?.insert(id)
        if !references.isEmpty { try note(rows, row, owner: id, isNew: true) }
    }

    /// Inserts as many rows as a group has with one statement.
    ///
    /// - Returns: False when one of them is refused; none is inserted then.
    private func insertGroup(
        _ rows: borrowing BlockRows, first: Int, ids: inout [Int64], nextID: inout Int64
    ) throws -> Bool {
        let statement = try groupInsertion ?? makeGroupInsertion()
        let handle = statement.handle
        let before = (Array(ids[first..<first + groupSize]), nextID)
        var code = SQLITE_OK
        var parameter: Int32 = 1
        let columns = Int32(entity.columns.count)
        for row in first..<first + groupSize {
            if ids[row] == 0 { ids[row] = nextID }
            nextID = max(nextID, ids[row] + 1)
            code |= sqlite3_bind_int64(handle, parameter, ids[row])
            code |= bindCells(rows, row: row, to: handle, parameter: parameter + 2)
            parameter += columns + 2
        }
        if code == SQLITE_OK, identifierRange.contains(nextID - 1) { code = sqlite3_step(handle) }
        defer { sqlite3_reset(handle) }
        if code == SQLITE_DONE { return true }
        // Without the transaction each row of the group would be stored at once, and alone.
        guard writer.connection.isInTransaction else {
            throw writer.connection.failure(code, sql: insertion?.sql).error(path: writer.connection.path)
        }
        ids.replaceSubrange(first..<first + groupSize, with: before.0)
        nextID = before.1
        return false
    }

    private func makeGroupInsertion() throws -> SQLiteStatement {
        let statement = try SQLiteStatement(
            writer.layout.insertion(entity, rows: groupSize), on: writer.connection)
        // Every row of the insert has the same version, which stays bound.
        for row in 0..<groupSize { try statement.bind(version, at: Int32(row * (entity.columns.count + 2)) + 2) }
        groupInsertion = statement
        return statement
    }

    /// Binds a row's cells where they lie, and runs the statement.
    private func insertRow(_ rows: borrowing BlockRows, row: Int, id: Int64) throws(PersistenceError) {
        guard let insertion else { throw .transactionIsOver }
        let handle = insertion.handle
        var code = sqlite3_bind_int64(handle, 1, id) | sqlite3_bind_int64(handle, 2, version)
        code |= bindCells(rows, row: row, to: handle, parameter: 3)
        if code == SQLITE_OK { code = sqlite3_step(handle) }
        guard code != SQLITE_DONE else {
            sqlite3_reset(handle)
            return
        }
        let failure = writer.connection.failure(code, sql: insertion.sql)
        let error = failure.error(path: writer.connection.path, busyTimeout: writer.connection.busyTimeout)
        sqlite3_reset(handle)
        guard error.code == .uniqueness else { throw error }
        let values = rows.block.values(ofRow: row) { defaults.value($0) }
        throw error.namingRow(StoredRow(id: id, values: values), entity)
    }

    /// Binds a row's cells from a parameter on.
    @inline(__always)
    private func bindCells(
        _ rows: borrowing BlockRows, row: Int, to handle: OpaquePointer, parameter: Int32
    ) -> Int32 {
        var code = SQLITE_OK
        rows.withCells(row) { cells, bytes in
            for column in cells.indices {
                let index = parameter + Int32(column)
                code |=
                    cells[column].kind == .absent
                    ? SQLiteValues.bind(defaults.value(column), to: handle, index)
                    : SQLiteValues.bind(cells[column], bytes: bytes, to: handle, index: index)
            }
        }
        return code
    }

    /// Without all mandatory values a row cannot be new, only update one that is there.
    private func checkComplete(_ rows: borrowing BlockRows, row: Int, id: Int64) throws(PersistenceError) {
        for column in requiredColumns where rows.cell(row, column).kind == .absent {
            var error = PersistenceError(
                .validation, "there is no such row to update, and a new one breaks rules of the model:",
                entity: entity.name)
            error.failures = [
                ValidationFailure(
                    entity: entity.name, id: id, attribute: entity.columns[column].name, value: .null, rule: .mandatory)
            ]
            throw error
        }
    }

    /// Notes references that are to be checked at the end.
    func note(_ rows: borrowing BlockRows, _ row: Int, owner: Int64, isNew: Bool) throws {
        for reference in references {
            let cell = rows.cell(row, reference.column)
            guard cell.kind == .integer else { continue }
            let exists = try reference.keyCache.exists(cell.bits)
            guard !exists || notesEverything else { continue }
            try writer.pending.note(
                PendingReference(
                    inserter: number, column: reference.column, owner: owner, target: cell.bits, isNew: isNew,
                    location: rows.block.location(ofRow: row)), note: rows.block.note(ofRow: row))
        }
    }

    /// A row was changed in place.
    func didUpdate(_ id: Int64) {
        counts.updated += 1
        updated.insert(id)
    }

    /// Gives a row's error to whoever takes them, or throws it.
    private func refuse(_ error: PersistenceError, rows: borrowing BlockRows, row: Int) throws {
        try refuse(error, at: rows.block.location(ofRow: row), note: Array(rows.block.note(ofRow: row)))
    }

    func refuse(_ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil) throws {
        try options.refuse(error, at: location, note: note, row: row, counts: &counts)
    }

    /// Gives the statements back; no row is taken afterwards.
    ///
    /// Whoever keeps the inserter must not keep them: they would be freed when the connection is somebody else's.
    func end() {
        insertion = nil
        groupInsertion = nil
        references = []
        conflicts.end()
    }

    /// What a store's method throws is its own kind of error.
    private func rethrowing<Result>(_ body: () throws -> Result) throws(PersistenceError) -> Result {
        do {
            return try body()
        } catch let error as PersistenceError {
            throw error
        } catch {
            throw PersistenceError(.database, "\(error)", entity: entity.name)
        }
    }
}

/// A block whose cells are read where they lie.
struct BlockRows: ~Copyable {
    let block: RowBlock

    init(_ block: RowBlock) {
        self.block = block
    }

    @inline(__always)
    func cell(_ row: Int, _ column: Int) -> RowBlock.Cell { block.cells[row * block.columnCount + column] }

    /// Gives access to the cells of a row and the bytes that its texts lie in.
    @inline(__always)
    func withCells(_ row: Int, _ body: (UnsafeBufferPointer<RowBlock.Cell>, UnsafeRawBufferPointer) -> Void) {
        block.cells.withUnsafeBufferPointer { cells in
            block.bytes.withUnsafeBytes { bytes in
                let start = row * block.columnCount
                body(UnsafeBufferPointer(rebasing: cells[start..<start + block.columnCount]), bytes)
            }
        }
    }
}

extension SQLiteValues {
    /// Binds a cell to a parameter; a text stays where it is until the parameter is bound anew.
    @inline(__always)
    static func bind(
        _ cell: RowBlock.Cell, bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, index: Int32
    ) -> Int32 {
        switch cell.kind {
        case .absent, .null: return sqlite3_bind_null(statement, index)
        case .integer: return sqlite3_bind_int64(statement, index, cell.bits)
        case .real: return sqlite3_bind_double(statement, index, cell.real)
        case .text:
            let range = cell.range
            // An empty buffer may have no address, and SQLite takes none for null.
            guard !range.isEmpty, let base = bytes.baseAddress else { return strata_bind_text(statement, index, "", 0) }
            return strata_bind_static_text(statement, index, base + range.lowerBound, UInt64(range.count))
        case .blob:
            let range = cell.range
            guard !range.isEmpty, let base = bytes.baseAddress else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return strata_bind_static_blob(statement, index, base + range.lowerBound, UInt64(range.count))
        }
    }
}
