import StrataCore
import StrataStoreKit

/// A writer that changes copies of an in-memory store's tables; at its end, they replace the tables of the store.
final class InMemoryRowWriter: RowWriter {
    let model: ManagedObjectModel
    var tables: [String: InMemoryTable]
    var joins: [String: InMemoryJoinTable]
    private(set) var metadata: [String: String]
    private let examined: ScannedRowCount
    private var inserters: [InMemoryRowInserter] = []
    private var pairInserters: [InMemoryPairInserter] = []
    /// The inserters of the join rows that are inserted without options, by join table.
    private var plainInserters: [String: InMemoryPairInserter] = [:]

    init(_ model: ManagedObjectModel, _ state: InMemoryStore.State) {
        self.model = model
        tables = state.tables
        joins = state.joins
        metadata = state.metadata
        examined = state.examined
    }

    /// A Boolean value that indicates whether the writer has ended; its tables are then obsolete.
    private var isOver = false

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
    }

    /// Ends the writer and its inserters, which callers may have retained.
    func end() {
        isOver = true
        for inserter in inserters { inserter.isOver = true }
        for inserter in pairInserters { inserter.isOver = true }
        (inserters, pairInserters, plainInserters) = ([], [], [:])
    }

    func setMetadata(_ value: String?, forKey key: String) throws {
        try checkOpen()
        metadata[key] = value
    }

    /// The rows that wait for unique values of other rows, by entity.
    private var waiting: [String: WaitingRows] = [:]

    /// Returns the reason why a row waits, or `nil` if it does not wait.
    func waitingError(of id: Int64, _ entity: EntityDescription) -> PersistenceError? {
        waiting[entity.name]?.error(of: id)
    }

    func wait(_ row: WaitingRows.Row, of entity: EntityDescription) {
        waiting[entity.name, default: WaitingRows(entity)].append(row)
    }

    func writeWaitingRows() throws {
        try checkOpen()
        for entity in model.entities {
            guard var rows = waiting.removeValue(forKey: entity.name) else { continue }
            let settlement = try rows.settle(
                version: ChangeSet.freshVersion(), stored: { tables[entity.name]?.row($0) },
                owner: { try identifier(of: entity, by: $0, $1) })
            for row in settlement.written {
                if exists(row.id, entity.name) {
                    tables[entity.name]?.replace(row)
                } else {
                    tables[entity.name]?.insert(row)
                }
            }
            for row in settlement.refused { try inserters[row.inserter].refuse(waiting: row) }
        }
    }

    func checkReferences() throws {
        try checkOpen()
        try finish()
    }

    func read(_ body: (any StoreReader) throws -> Void) throws {
        try checkOpen()
        buildIndexes()
        let state = InMemoryStore.State(tables: tables, joins: joins, metadata: metadata, examined: examined)
        let reader = InMemoryTransaction(state, model)
        defer { reader.isOver = true }
        try body(reader)
    }

    func identifier(of entity: EntityDescription, by key: UniqueKey, _ value: UniqueValue) throws -> Int64? {
        try checkOpen()
        guard let place = entity.uniqueKeys.firstIndex(of: key) else { return nil }
        let owner = tables[entity.name]?.owners[place][value]
        return waiting[entity.name]?.mayMove(value, of: key, from: owner) == true ? nil : owner
    }

    func redirectReferences(
        of entity: EntityDescription, column: Int, _ targets: [Int64: Int64]
    ) throws -> [Int64: PersistenceError] {
        try checkOpen()
        let refused = try inserters.filter { $0.entity.name == entity.name }.reduce(into: [:]) { refused, inserter in
            refused.merge(try inserter.redirect(column, targets)) { first, _ in first }
        }
        waiting[entity.name]?.redirect(column, targets.filter { refused[$0.key] == nil })
        return refused
    }

    func removePairs(of id: Int64, isSource: Bool, join: String) throws {
        try checkOpen()
        let description = try model.join(named: join)
        for inserter in pairInserters where inserter.join.name == join { inserter.giveWay(id, isSource: isSource) }
        for side in [true, false] where side == isSource || description.isSymmetric {
            joins[join]?.removeAll(of: id, isSource: side)
        }
    }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        try checkOpen()
        let inserter = InMemoryRowInserter(
            try model.entity(named: entity), options: options, number: inserters.count, writer: self)
        tables[entity]?.beginBulk()
        if options.buildsIndexesLast { tables[entity]?.deferIndexes() }
        inserters.append(inserter)
        return inserter
    }

    private var positions: [String: RowPositions] = [:]

    /// Returns the positions of new rows of an entity, or `nil` if the entity does not preserve the order of files.
    func positions(of entity: EntityDescription) -> RowPositions? {
        guard entity.keepsOrder else { return nil }
        if let positions = positions[entity.name] { return positions }
        let made = RowPositions(next: tables[entity.name]?.nextID ?? identifierRange.lowerBound)
        positions[entity.name] = made
        return made
    }

    func pairInserter(of join: String, _ options: InsertOptions, owners: PairOwners?) throws -> any PairInserter {
        try checkOpen()
        let description = try model.join(named: join)
        let rows = try owners.map { owners in
            guard let rows = owners.inserter as? InMemoryRowInserter, inserters.contains(where: { $0 === rows }) else {
                throw PersistenceError(
                    .invalidRequest, "the inserter of the owners belongs to another writer", entity: join)
            }
            return (rows, owners.isSource)
        }
        let inserter = InMemoryPairInserter(description, options, owners: rows, writer: self)
        pairInserters.append(inserter)
        return inserter
    }

    func row(_ id: Int64, of entity: EntityDescription) throws -> StoredRow? {
        try checkOpen()
        return tables[entity.name]?.row(id)
    }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try checkOpen()
        let inserter =
            try plainInserters[join]
            ?? InMemoryPairInserter(try model.join(named: join), InsertOptions(), owners: nil, writer: self)
        if plainInserters.updateValue(inserter, forKey: join) == nil { pairInserters.append(inserter) }
        inserter.add(row, location)
    }

    /// Writes waiting rows and checks the references.
    func finish() throws {
        try writeWaitingRows()
        rejectRows()
        try throwPendingError()
        for inserter in inserters { try inserter.makeNull() }
        try throwFirst(inserters.compactMap(\.firstError))
        for inserter in pairInserters { try inserter.rejectMissing() }
        try throwFirst(pairInserters.compactMap(\.firstError))
        for (entity, positions) in positions {
            let mark = min(positions.next, identifierRange.upperBound + 1)
            if let next = tables[entity]?.nextID { tables[entity]?.nextID = max(next, mark) }
        }
        // Checked rows are not checked again.
        for inserter in inserters { inserter.forgetWritten() }
        for inserter in pairInserters { inserter.forgetWritten() }
    }

    /// Throws the error whose location is first in the input, if there is an error.
    private func throwFirst(_ errors: [PersistenceError]) throws {
        let located = errors.compactMap { error in error.location.map { (error: error, location: $0) } }
        if let first = located.min(by: { $0.location < $1.location }) { throw first.error }
    }

    /// Merges waiting rows into all tables, and builds the indexes of the tables that were empty.
    func buildIndexes() {
        for entity in Array(tables.keys) {
            tables[entity]?.settle()
            tables[entity]?.buildIndexes()
        }
    }

    /// Returns the tables in the form in which a store retains them.
    func settledTables() -> [String: InMemoryTable] {
        buildIndexes()
        return tables.mapValues { table in
            var table = table
            table.endBulk()
            return table
        }
    }

    /// The error that a handler of rejected rows threw.
    private var thrown: (any Error)?

    private func throwPendingError() throws {
        if let thrown { throw thrown }
    }

    /// Rejects rows with dangling references until there are none.
    private func rejectRows() {
        var isChanged = true
        while isChanged, thrown == nil {
            isChanged = false
            do {
                for inserter in inserters { if try inserter.rejectMissing() { isChanged = true } }
                for inserter in pairInserters { if try inserter.rejectOwners() { isChanged = true } }
            } catch {
                thrown = error
            }
        }
    }

    /// Restores the join rows that a row had before its first update.
    func restorePairs(of id: Int64, _ inserter: InMemoryRowInserter, at location: RowLocation) {
        for pairs in pairInserters where pairs.owners?.inserter === inserter { pairs.restore(id, at: location) }
    }

    /// Returns a Boolean value that indicates whether the list column of a row contains a join row.
    func hasBrought(_ ends: JoinPair, of join: String, _ owner: Int64) -> Bool {
        pairInserters.contains { $0.join.name == join && $0.hasBrought(ends, owner) }
    }

    func exists(_ id: Int64, _ entity: String) -> Bool { tables[entity]?.contains(id) == true }
}
