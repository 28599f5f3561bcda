package import StrataCore

/// What takes the rows of one entity for an engine, statement by statement.
package protocol SQLRowInserter: RowInserter {
    /// What is known of the rows.
    var rows: SQLInsertedRows { get }
    /// How many rows are inserted at once, at least 1.
    var groupSize: Int { get }
    /// Whether fewer are, too.
    var takesFewer: Bool { get }
    /// Inserts rows of a block at once, with identifiers for all of the block's.
    ///
    /// - Returns: False when one of them is refused; none is inserted then.
    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool
    /// Inserts one row.
    ///
    /// - Throws: ``PersistenceError``, naming what the row has, with code ``PersistenceError/Code/uniqueness`` where it is another's.
    func insert(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError)
    /// Gives the statements back; no row is taken afterwards.
    ///
    /// Whoever keeps the inserter must not keep them: they would be freed when the connection is somebody else's.
    func end()
}

extension SQLRowInserter {
    package var entity: EntityDescription { rows.entity }
    package var counts: InsertCounts { rows.counts }
    package var updated: ChangedIdentifiers { rows.updated }
}

/// The rows of one entity that an inserter takes: what is to become of them, what became of them, and where they lead.
package final class SQLInsertedRows {
    package let entity: EntityDescription
    let options: InsertOptions
    /// Its number among the writer's inserters.
    let number: Int
    var counts = InsertCounts()
    fileprivate(set) var updated = ChangedIdentifiers.none

    unowned let writer: SQLRowWriter
    /// Whether rows of it may be taken out again at the end.
    let mayTakeOut: Bool
    package let defaults: RowDefaults
    /// The first version of all rows.
    package let version = ChangeSet.freshVersion()
    /// What stands for objects that came and were another's already, by the column that leads to it: no reference that leads nowhere.
    var refusedTargets: [(column: Int, target: Int64)] = []

    private var references: [Reference]
    private let requiredColumns: [Int]
    private lazy var conflicts = SQLRowConflicts(self)
    /// Whether rows of those it refers to may be taken out again at the end.
    private var notesEverything = false

    /// One to-one relationship of the entity.
    private struct Reference {
        let column: Int
        let destination: String
        let keyCache: SQLForeignKeyCache
    }

    init(_ entity: EntityDescription, options: InsertOptions, number: Int, writer: SQLRowWriter) throws {
        self.entity = entity
        self.options = options
        mayTakeOut = options.mayTakeOut(entity)
        self.number = number
        self.writer = writer
        defaults = RowDefaults(entity, positions: try writer.positions(of: entity))
        requiredColumns = entity.requiredColumns
        references = try entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination else { return nil }
            return Reference(column: column, destination: destination, keyCache: try writer.keyCache(of: destination))
        }
    }

    /// Inserts the rows of a block, as many at once as the engine takes.
    package func insert(_ block: inout RowBlock, by engine: some SQLRowInserter) throws {
        guard block.columnCount == entity.columns.count else {
            throw PersistenceError.miscounted(block.columnCount, entity)
        }
        try writer.connection.checkInTransaction()
        notesEverything = references.contains { writer.mayTakeOut($0.destination) }
        var insertion = Insertion(
            ids: block.ids, nextID: try writer.nextID(of: entity.name),
            ownKeyCache: writer.existingKeyCache(of: entity.name))
        block.ids = []
        var outcomes: [RowOutcome] = []
        defer {
            block.ids = insertion.ids
            block.outcomes = outcomes
            writer.raiseNextID(of: entity.name, to: insertion.nextID)
        }
        let groupSize = engine.groupSize
        var row = 0
        while row < insertion.ids.count {
            let group = row..<min(row + groupSize, insertion.ids.count)
            row = group.upperBound
            try insert(block, group, &insertion, &outcomes, by: engine)
        }
    }

    /// Inserts rows at once, or where one of them is refused in smaller parts, at last one by one, to find out which.
    private func insert(
        _ block: RowBlock, _ group: Range<Int>, _ insertion: inout Insertion, _ outcomes: inout [RowOutcome],
        by engine: some SQLRowInserter
    ) throws {
        let asksOutcomes = block.asksOutcomes
        if options.onConflict == .abort, group.count > 1, group.count == engine.groupSize || engine.takesFewer {
            if try insert(block, group, &insertion, by: engine) {
                for member in group { try didInsert(block, member, insertion) }
                if asksOutcomes { outcomes += repeatElement(.inserted, count: group.count) }
                return
            }
            if engine.takesFewer {
                let middle = group.lowerBound + group.count / 2
                try insert(block, group.lowerBound..<middle, &insertion, &outcomes, by: engine)
                return try insert(block, middle..<group.upperBound, &insertion, &outcomes, by: engine)
            }
        }
        for member in group {
            let before = asksOutcomes ? counts : InsertCounts()
            try insert(block, member, &insertion, by: engine)
            if asksOutcomes { outcomes.append(RowOutcome(of: counts, since: before)) }
        }
    }

    /// A block on its way into its table.
    private struct Insertion {
        /// The rows' identifiers; 0 where one is to be taken.
        var ids: [Int64]
        var nextID: Int64
        /// What is known of the entity's own rows, where others refer to them.
        let ownKeyCache: SQLForeignKeyCache?
    }

    /// Inserts a group of rows; none of them where the engine refuses one.
    private func insert(
        _ block: RowBlock, _ group: Range<Int>, _ insertion: inout Insertion, by engine: some SQLRowInserter
    ) throws -> Bool {
        let before = (Array(insertion.ids[group]), insertion.nextID)
        for row in group {
            if insertion.ids[row] == 0 { insertion.ids[row] = insertion.nextID }
            insertion.nextID = max(insertion.nextID, insertion.ids[row] + 1)
        }
        if identifierRange.contains(insertion.nextID - 1), try engine.insert(block, rows: group, ids: insertion.ids) {
            return true
        }
        insertion.ids.replaceSubrange(group, with: before.0)
        insertion.nextID = before.1
        return false
    }

    private func insert(
        _ block: RowBlock, _ row: Int, _ insertion: inout Insertion, by engine: some SQLRowInserter
    ) throws {
        let given = insertion.ids[row]
        do throws(PersistenceError) {
            if options.onConflict != .abort,
                let existing = try rethrowing({ try resolve(block, row: row, given: given) })
            {
                insertion.ids[row] = existing
                // A new row may wait, which has its identifier nevertheless.
                insertion.nextID = max(insertion.nextID, existing + 1)
                return
            }
            let id = given == 0 ? insertion.nextID : given
            guard identifierRange.contains(id) else { throw .identifiersExhausted(entity.name) }
            try engine.insert(block, row: row, id: id)
            insertion.ids[row] = id
            insertion.nextID = max(insertion.nextID, id + 1)
            try rethrowing { try didInsert(block, row, insertion) }
        } catch {
            try refuse(error, at: block.location(ofRow: row), note: Array(block.note(ofRow: row)))
        }
    }

    @inline(__always)
    private func didInsert(_ block: RowBlock, _ row: Int, _ insertion: borrowing Insertion) throws {
        counts.inserted += 1
        let id = insertion.ids[row]
        insertion.ownKeyCache?.insert(id)
        if !references.isEmpty { try note(block, row, owner: id, isNew: true) }
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

    /// Does with a row that is there already what the options say.
    ///
    /// - Returns: The identifier of the row that is there; `nil` where the row is new, and complete.
    private func resolve(_ block: RowBlock, row: Int, given: Int64) throws -> Int64? {
        if let existing = try conflicts.resolve(block, row: row, given: given) { return existing }
        try checkComplete(block, row: row, id: given)
        return nil
    }

    /// A Boolean value that indicates whether a row of a block may wait for a unique value.
    ///
    /// Pairs of a row that is refused at the end are put back only where they were kept.
    func mayWait(_ block: RowBlock) -> Bool { !block.asksOutcomes || mayTakeOut || options.onFailure == nil }

    /// Lets a row wait for a unique value that another row has; see ``WaitingRows``.
    func wait(_ block: RowBlock, _ row: Int, id: Int64, isStored: Bool, _ error: PersistenceError) throws {
        let isNew = !isStored && writer.waitingError(of: id, entity) == nil
        if isNew, options.onConflict == .update { try checkComplete(block, row: row, id: id) }
        let values = entity.columns.indices.map { column in
            let isDefault = isNew || (options.onConflict == .replace && !entity.columns[column].isImmutable)
            return block.value(row: row, column: column) ?? (isDefault ? defaults.value(column) : nil)
        }
        writer.wait(
            WaitingRows.Row(
                id: id, inserter: number, isNew: isNew, values: values, error: error,
                location: block.location(ofRow: row), note: Array(block.note(ofRow: row))), of: entity)
        if isNew { counts.inserted += 1 } else { didUpdate(id) }
        try note(block, row, owner: id, isNew: isNew)
    }

    /// Without all mandatory values a row cannot be new, only update one that is there.
    private func checkComplete(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError) {
        for column in requiredColumns where block.cell(row, column).kind == .absent {
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

    /// A row as it would be stored.
    package func row(_ block: RowBlock, row: Int, id: Int64) -> StoredRow {
        StoredRow(id: id, values: block.values(ofRow: row) { defaults.value($0) })
    }

    /// Notes references that are to be checked at the end.
    func note(_ block: RowBlock, _ row: Int, owner: Int64, isNew: Bool) throws {
        for reference in references {
            let cell = block.cell(row, reference.column)
            guard cell.kind == .integer else { continue }
            let exists = try reference.keyCache.exists(cell.bits)
            guard !exists || notesEverything else { continue }
            try writer.pending.note(
                PendingReference(
                    inserter: number, column: reference.column, owner: owner, target: cell.bits, isNew: isNew,
                    location: block.location(ofRow: row)), note: block.note(ofRow: row))
        }
    }

    /// A row was changed in place.
    func didUpdate(_ id: Int64) {
        counts.updated += 1
        updated.insert(id)
    }

    /// Gives a row's error to whoever takes them, or throws it.
    func refuse(_ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil) throws {
        try options.refuse(error, at: location, note: note, row: row, counts: &counts)
    }

    /// Gives the statements back.
    package func end() {
        references = []
        conflicts.end()
    }
}

extension RowBlock {
    func cell(_ row: Int, _ column: Int) -> Cell { cells[row * columnCount + column] }
}
