import Foundation
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` with a writer of rows in one transaction.
    ///
    /// Indexes of an empty table are built after its rows.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try withWriter { connection in
            // References are checked once at the end, with the row's location; SQLite would check each row and say nothing.
            try connection.execute("PRAGMA foreign_keys = OFF")
            defer { restoreSettings(connection) }
            defer { commits.withLock { $0.countEverything() } }
            let migration = following.withLock { $0 }
            try connection.inTransaction {
                try migration?.run(in: connection)
                let writer = SQLiteRowWriter(model, layout: layout, connection: connection)
                defer { writer.end() }
                try body(writer)
                try writer.finish()
            }
            following.withLock { $0 = nil }
        }
    }

    private func restoreSettings(_ connection: SQLiteConnection) {
        do {
            try connection.execute("PRAGMA foreign_keys = ON")
        } catch {
            // Outside a transaction the pragma cannot fail; a connection in which it did is not used again.
            connection.close()
        }
    }
}

/// The rows of one transaction: an inserter for each entity, and what is checked at the end.
final class SQLiteRowWriter: RowWriter {
    let model: ManagedObjectModel
    let layout: SQLLayout
    let connection: SQLiteConnection
    let pending: SQLitePendingReferences
    private var inserters: [SQLiteRowInserter] = []
    private var pairInserters: [SQLitePairInserter] = []
    private var keyCaches: [String: SQLiteForeignKeyCache] = [:]
    /// Indexes that were dropped because their tables were empty.
    private var droppedIndexes: [String: [String]] = [:]
    /// The connection is somebody else's then.
    private var isOver = false

    init(_ model: ManagedObjectModel, layout: SQLLayout, connection: SQLiteConnection) {
        self.model = model
        self.layout = layout
        self.connection = connection
        pending = SQLitePendingReferences(layout, connection)
    }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        try checkOpen()
        let entity = try model.entity(named: entity)
        if options.buildsIndexesLast { try dropIndexesOfEmptyTable(entity) }
        let inserter = try SQLiteRowInserter(entity, options: options, number: inserters.count, writer: self)
        inserters.append(inserter)
        return inserter
    }

    /// What is known of the rows of an entity that others refer to.
    func keyCache(of entity: String) throws -> SQLiteForeignKeyCache {
        if let keyCache = keyCaches[entity] { return keyCache }
        let keyCache = try SQLiteForeignKeyCache(entity, layout: layout, connection: connection)
        keyCaches[entity] = keyCache
        return keyCache
    }

    func existingKeyCache(of entity: String) -> SQLiteForeignKeyCache? { keyCaches[entity] }

    /// Whether rows of an entity may be taken out again at the end.
    func mayTakeOut(_ entity: String) -> Bool { inserters.contains { $0.mayTakeOut && $0.entity.name == entity } }

    /// The next identifier of an entity, for all inserters of it.
    private(set) var nextIDs: [String: Int64] = [:]

    func nextID(of entity: String) throws -> Int64 {
        if let next = nextIDs[entity] { return next }
        let next = try SQLSequence(entity, in: layout, on: connection).next()
        nextIDs[entity] = next
        return next
    }

    func raiseNextID(of entity: String, to next: Int64) { nextIDs[entity] = max(nextIDs[entity] ?? 1, next) }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try checkOpen()
        let join = try model.join(named: join)
        let row = join.kept(row)
        try connection.statement(layout.insertion(join)).run(row.values(of: join))
        for (id, entity) in [(row.pair.source, join.sourceEntity), (row.pair.target, join.targetEntity)]
        where try !keyCache(of: entity).exists(id) {
            try pending.pairs.note(PendingPair(join: join, pair: row.pair, location: location), note: [])
        }
    }

    func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter {
        try checkOpen()
        let description = try model.join(named: join)
        let rows = try owners.map { owners in
            guard let rows = owners.inserter as? SQLiteRowInserter, inserters.contains(where: { $0 === rows }) else {
                throw PersistenceError(.invalidRequest, "the rows of the pairs are another writer's", entity: join)
            }
            return (rows, owners.isSource)
        }
        let inserter = try SQLitePairInserter(
            description, options, owners: rows, number: pairInserters.count, writer: self)
        pairInserters.append(inserter)
        return inserter
    }

    func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        try checkOpen()
        // Without the indexes that are built last: what an identifier has needs none.
        let reader = SQLiteTransaction(layout: layout, connection: connection)
        defer { reader.isOver = true }
        return try reader.row(id, of: entity)
    }

    func checkReferences() throws {
        try checkOpen()
        try pending.check(inserters, pairInserters)
    }

    func read(_ body: (any StoreReader) throws -> Void) throws {
        try checkOpen()
        try buildIndexes()
        let reader = SQLiteTransaction(layout: layout, connection: connection)
        defer { reader.isOver = true }
        try body(reader)
    }

    func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try checkOpen()
        let statement = try connection.statement(layout.identifier(byColumns: key.columns, entity))
        defer { statement.reset() }
        try statement.bind(value.parts)
        return try statement.step() ? statement.integers(1)[0] : nil
    }

    func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        try checkOpen()
        // A row is found by the index of its reference.
        try buildIndexes()
        var refused: [Int64: PersistenceError] = [:]
        for (old, new) in targets.sorted(by: { $0.key > $1.key }) {
            do {
                try pending.redirect(column, of: entity, from: old, to: new)
            } catch let error as PersistenceError where error.code == .uniqueness {
                refused[old] = error
                for inserter in inserters where inserter.entity.name == entity.name {
                    if inserter.options.onMissingReference == .null { inserter.refusedTargets.append((column, old)) }
                }
            }
        }
        return refused
    }

    func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        try checkOpen()
        let join = try model.join(named: join)
        if mayTakeOut(isSource ? join.sourceEntity : join.targetEntity) {
            try pending.pairs.keep(join, of: id, isSource: isSource)
        }
        try pending.pairs.forget(join, of: id)
        for side in [true, false] where side == isSource || join.isSymmetric {
            try connection.run(layout.deletion(join, ofSource: side), .integer(id))
        }
    }

    func setMetadata(_ value: String?, forKey key: String) throws {
        try checkOpen()
        let name = StoredValue.string(SQLLayout.userKeyPrefix + key)
        guard let value else { return try connection.run(layout.metadataDeletion, name) }
        try connection.run(layout.metadataUpsert, name, .string(value))
    }

    private func dropIndexesOfEmptyTable(_ entity: EntityDescription) throws {
        guard droppedIndexes[entity.name] == nil,
            try connection.number(layout.anyRow(entity.name)) == nil
        else { return }
        let table = TableDescription(entity, in: model)
        // What is unique together stays: it tells which row is refused, and which is there already.
        let indexes = table.indexes.filter { !$0.isUnique }
        for index in indexes { try connection.execute(layout.removal(of: index)) }
        droppedIndexes[entity.name] = indexes.map { layout.creation(of: $0, on: table) }
    }

    private func buildIndexes() throws {
        let creations = model.entities.flatMap { droppedIndexes.removeValue(forKey: $0.name) ?? [] }
        guard !creations.isEmpty else { return }
        try connection.sortingOnThreads(rows: inserters.map(\.counts.inserted).max() ?? 0) {
            for creation in creations { try connection.execute(creation) }
        }
    }

    /// Builds the indexes again, checks the references, and raises the marks.
    func finish() throws {
        try checkOpen()
        for inserter in inserters { inserter.end() }
        for inserter in pairInserters { inserter.end() }
        try buildIndexes()
        try checkReferences()
        for (entity, next) in nextIDs where next > 1 {
            try SQLSequence(entity, in: layout, on: connection).raise(above: next - 1)
        }
    }

    /// Gives all statements back, whoever keeps the writer or its inserters.
    func end() {
        isOver = true
        for inserter in inserters { inserter.end() }
        for inserter in pairInserters { inserter.end() }
        (inserters, pairInserters, keyCaches) = ([], [], [:])
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
        try connection.checkInTransaction()
    }
}

/// Which identifiers of an entity exist, asked for every reference to it.
final class SQLiteForeignKeyCache {
    /// After so many single questions all identifiers are read at once.
    private static let questionsBeforeReading = 4096

    private var known = IdentifierSet()
    private let lookup: SQLiteStatement
    private let everything: String
    private let connection: SQLiteConnection
    private var questions = 0

    init(_ entity: String, layout: SQLLayout, connection: SQLiteConnection) throws {
        self.connection = connection
        lookup = try SQLiteStatement(
            layout.existence(entity), on: connection)
        everything = layout.identifiers(entity)
    }

    func exists(_ id: Int64) throws -> Bool {
        if known.contains(id) { return true }
        if known.isComplete { return false }
        questions += 1
        if questions == Self.questionsBeforeReading {
            try readEverything()
            if known.isComplete { return known.contains(id) }
        }
        defer { lookup.rewind() }
        try lookup.bind(id, at: 1)
        guard try lookup.step() else { return false }
        known.insert(id)
        return true
    }

    /// A row was written.
    func insert(_ id: Int64) { known.insert(id) }

    /// A row was taken out again.
    func remove(_ id: Int64) { known.remove(id) }

    private func readEverything() throws {
        let statement = try SQLiteStatement(everything, on: connection)
        defer { statement.reset() }
        known.isComplete = true
        while known.isComplete, try statement.step() { known.insert(statement.integers(1)[0]) }
    }
}
