package import StrataCore
package import StrataStoreKit

/// The bulk writer of one transaction, which has inserters for the entities and finally checks all references.
package final class SQLRowWriter: RowWriter {
    let layout: SQLLayout
    let connection: any SQLBulkConnection
    private(set) lazy var pending = SQLPendingRows(self)
    private var inserters: [any SQLRowInserter] = []
    private var pairInserters: [SQLPairInserter] = []
    private var keyCaches: [String: SQLForeignKeyCache] = [:]
    /// The statements that recreate the dropped indexes of each table; indexes are dropped if the table was empty.
    private var droppedIndexes: [String: [String]] = [:]
    /// The entities whose rows were changed by other means than an inserter.
    private var entitiesWrittenDirectly: Set<String> = []
    /// The entities whose rows got other references than those of their input.
    private var redirectedEntities: Set<String> = []
    /// The join tables whose rows were changed by other means than an inserter.
    private var joinsWrittenDirectly: Set<String> = []
    private let history: SQLHistoryRecorder?
    /// A Boolean value that indicates whether the writer has ended; another user may then have the connection.
    private var isOver = false

    /// Creates a writer on a connection whose open transaction does not check references row by row.
    ///
    /// The caller finishes the recorder of the history before the commit.
    package init(_ layout: SQLLayout, _ connection: any SQLBulkConnection, history: SQLHistoryRecorder? = nil) {
        self.layout = layout
        self.connection = connection
        self.history = history
    }

    private var model: ManagedObjectModel { layout.model }

    package func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        try checkOpen()
        let entity = try model.entity(named: entity)
        if options.buildsIndexesLast, layout.dialect.buildsIndexesLast { try dropIndexesOfEmptyTable(entity) }
        let rows = try SQLInsertedRows(entity, options: options, number: inserters.count, writer: self)
        let inserter = try connection.rowInserter(rows, in: layout)
        inserters.append(inserter)
        return inserter
    }

    /// The rows that wait for unique values of other rows, by the entity's name.
    private var waiting: [String: WaitingRows] = [:]

    /// Returns the error because of which a row waits for another row's unique value; `nil` if the row does not wait.
    func waitingError(of id: Int64, _ entity: EntityDescription) -> PersistenceError? {
        waiting[entity.name]?.error(of: id)
    }

    func wait(_ row: WaitingRows.Row, of entity: EntityDescription) {
        waiting[entity.name, default: WaitingRows(entity)].append(row)
    }

    package func writeWaitingRows() throws {
        try checkOpen()
        for entity in model.entities {
            guard var rows = waiting.removeValue(forKey: entity.name) else { continue }
            let settlement = try rows.settle(
                version: ChangeSet.freshVersion(), stored: { try connection.storedRow($0, of: entity, in: layout) },
                owner: { try identifier(of: entity, by: $0, $1) })
            try write(settlement.written, of: entity)
            for row in settlement.refused {
                let rows = inserters[row.inserter].rows
                try pending.undo(row.id, of: rows, isNew: row.isNew, at: row.location)
                try rows.refuse(row.error, at: row.location, note: row.note)
            }
        }
    }

    /// Deletes the stored versions of rows and then inserts the rows, so that the rows can exchange their unique
    /// values.
    private func write(_ rows: [StoredRow], of entity: EntityDescription) throws {
        for row in rows {
            if mayReject(entity.name) { try pending.keep(row.id, of: entity) }
            try connection.run(layout.deletion(entity, checksVersion: false), .integer(row.id))
        }
        for row in rows {
            do {
                let values = [StoredValue.integer(row.id), .integer(row.version)] + row.values
                try connection.statement(layout.insertion(entity)).run(values)
            } catch let error as PersistenceError where error.code == .uniqueness {
                throw error.namingRow(row, entity)
            }
            existingKeyCache(of: entity.name)?.insert(row.id)
        }
    }

    /// Returns the cache of the existing identifiers of a referenced entity.
    func keyCache(of entity: String) throws -> SQLForeignKeyCache {
        if let keyCache = keyCaches[entity] { return keyCache }
        let keyCache = try SQLForeignKeyCache(entity, in: layout, on: connection)
        keyCaches[entity] = keyCache
        return keyCache
    }

    func existingKeyCache(of entity: String) -> SQLForeignKeyCache? { keyCaches[entity] }

    /// Returns a Boolean value that indicates whether the final check may remove rows of an entity.
    func mayReject(_ entity: String) -> Bool { inserters.contains { $0.rows.mayReject && $0.entity.name == entity } }

    /// The next identifier of each entity, which all inserters of the entity share.
    private(set) var nextIDs: [String: Int64] = [:]

    func nextID(of entity: String) throws -> Int64 {
        if let next = nextIDs[entity] { return next }
        let next = try connection.nextIdentifier(of: entity, in: layout)
        nextIDs[entity] = next
        return next
    }

    func raiseNextID(of entity: String, to next: Int64) { nextIDs[entity] = max(nextIDs[entity] ?? 1, next) }

    private var positions: [String: RowPositions] = [:]

    /// Returns the file positions for new rows of an entity; `nil` if the entity does not store the order of rows in
    /// files.
    func positions(of entity: EntityDescription) throws -> RowPositions? {
        guard entity.keepsOrder else { return nil }
        if let positions = positions[entity.name] { return positions }
        let positions = RowPositions(next: try nextID(of: entity.name))
        self.positions[entity.name] = positions
        return positions
    }

    package func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try checkOpen()
        let join = try model.join(named: join)
        let row = join.kept(row)
        try connection.statement(layout.insertion(join)).run(row.values(of: join))
        entitiesWrittenDirectly.formUnion(join.ends)
        joinsWrittenDirectly.insert(join.name)
        let (source, target) = (row.pair.source, row.pair.target)
        if try keyCache(of: join.sourceEntity).exists(source), try keyCache(of: join.targetEntity).exists(target) {
            return
        }
        try pending.note(
            PendingRow(property: pending.number(of: join), owner: source, target: target, location: location))
    }

    package func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter
    {
        try checkOpen()
        let description = try model.join(named: join)
        let rows = try owners.map { owners in
            guard let inserter = inserters.first(where: { $0 === owners.inserter }) else {
                throw PersistenceError(
                    .invalidRequest, "the inserter of the owners belongs to another writer", entity: join)
            }
            return (inserter.rows, owners.isSource)
        }
        let inserter = try SQLPairInserter(description, options, owners: rows, writer: self)
        pairInserters.append(inserter)
        return inserter
    }

    package func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        try checkOpen()
        // A lookup by identifier does not need the indexes that are built last.
        return try connection.storedRow(id, of: entity, in: layout)
    }

    package func checkReferences() throws {
        try writeWaitingRows()
        try pending.check()
    }

    package func read(_ body: (any StoreReader) throws -> Void) throws {
        try checkOpen()
        try buildIndexes()
        try connection.read(in: layout, body)
    }

    package func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try checkOpen()
        let statement = try connection.statement(layout.identifier(byColumns: key.columns, entity))
        defer { statement.reset() }
        try statement.bind(value.parts)
        let owner = try statement.step() ? statement.integer(at: 0) : nil
        return waiting[entity.name]?.mayMove(value, of: key, from: owner) == true ? nil : owner
    }

    package func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        try checkOpen()
        // The redirection finds rows by the index of their reference.
        try buildIndexes()
        if !targets.isEmpty {
            entitiesWrittenDirectly.insert(entity.name)
            redirectedEntities.insert(entity.name)
        }
        var refused: [Int64: PersistenceError] = [:]
        for (old, new) in targets.sorted(by: { $0.key > $1.key }) {
            do {
                try connection.attempt { try pending.redirect(column, of: entity, from: old, to: new) }
            } catch let error as PersistenceError where error.code == .uniqueness {
                refused[old] = error
                pending.refuse(old, in: column, of: entity)
            }
        }
        waiting[entity.name]?.redirect(column, targets.filter { refused[$0.key] == nil })
        return refused
    }

    package func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        try checkOpen()
        let join = try model.join(named: join)
        if mayReject(isSource ? join.sourceEntity : join.targetEntity) {
            try pending.keep(join, of: id, isSource: isSource)
        }
        entitiesWrittenDirectly.formUnion(join.ends)
        joinsWrittenDirectly.insert(join.name)
        try pending.forget(join, of: id, isSource: isSource)
        for side in [true, false] where side == isSource || join.isSymmetric {
            try connection.run(layout.deletion(join, ofSource: side), .integer(id))
        }
    }

    package func setMetadata(_ value: String?, forKey key: String) throws {
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
        // Unique indexes remain, because they detect rejected rows and existing rows.
        let indexes = table.indexes.filter { !$0.isUnique }
        for index in indexes { try connection.execute(layout.removal(of: index)) }
        droppedIndexes[entity.name] = indexes.map { layout.creation(of: $0, on: table) }
    }

    private func buildIndexes() throws {
        let creations = model.entities.flatMap { droppedIndexes.removeValue(forKey: $0.name) ?? [] }
        guard !creations.isEmpty else { return }
        try connection.buildingIndexes(rows: inserters.map(\.counts.inserted).max() ?? 0) {
            for creation in creations { try connection.execute(creation) }
        }
    }

    /// Rebuilds the dropped indexes, checks all pending references, and stores the raised next identifiers.
    package func finish() throws {
        try checkOpen()
        try writeWaitingRows()
        for inserter in inserters { inserter.end() }
        for inserter in pairInserters { inserter.end() }
        try buildIndexes()
        try checkReferences()
        for (entity, positions) in positions {
            // Next identifiers end after the last identifier. Rows after it are in the order of their identifiers.
            raiseNextID(of: entity, to: min(positions.next, identifierRange.upperBound + 1))
        }
        for (entity, next) in nextIDs where next > 1 {
            try connection.raiseIdentifiers(of: entity, above: next - 1, in: layout)
        }
        try record()
    }

    /// A Boolean value that indicates whether the inserters note the identifiers of new rows for the history.
    var notesIdentifiers: Bool { history != nil }

    private func record() throws {
        guard let history else { return }
        var undone: [String: Set<Int64>] = [:]
        for rows in inserters.map(\.rows) { undone[rows.entity.name, default: []].formUnion(rows.undoneIDs) }
        for rows in inserters.map(\.rows) {
            let undone = undone[rows.entity.name, default: []]
            try history.changed(rows.insertedIDs.without(undone), of: rows.entity, .insert)
            switch rows.updated {
            case .everything: try history.everything(rows.entity.name)
            case .some(let ids):
                let updated = IdentifierRanges(ids.subtracting(undone).sorted())
                try history.changed(updated, of: rows.entity, .update)
            }
        }
        let pairs = pairInserters.filter { $0.counts.inserted + $0.counts.updated > 0 }.map(\.join.name)
        let written = joinsWrittenDirectly.union(pairs)
        for entity in model.entities where redirectedEntities.contains(entity.name) {
            try history.everything(entity.name)
        }
        for join in model.joins where written.contains(join.name) { try history.everything(join.name) }
    }

    /// The entities whose rows or join rows the writer has written.
    package var writtenEntities: Set<String> {
        let rows = inserters.filter { $0.counts.inserted + $0.counts.updated > 0 }.map(\.entity.name)
        let pairs = pairInserters.filter { $0.counts.inserted + $0.counts.updated > 0 }.map(\.join.ends)
        return pairs.reduce(entitiesWrittenDirectly.union(rows)) { $0.union($1) }
    }

    /// Releases all statements of the writer and its inserters, even if a caller retains these objects.
    package func end() {
        isOver = true
        for inserter in inserters { inserter.end() }
        for inserter in pairInserters { inserter.end() }
        pending.end()
        (inserters, pairInserters, keyCaches) = ([], [], [:])
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
        try connection.checkInTransaction()
    }
}
