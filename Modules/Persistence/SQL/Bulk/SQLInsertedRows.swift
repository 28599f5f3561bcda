package import StrataCore
package import StrataStoreKit

/// An inserter that writes the rows of one entity with the statements of an engine.
package protocol SQLRowInserter: RowInserter {
    /// The engine-independent state of the inserter.
    var rows: SQLInsertedRows { get }
    /// The maximum count of rows that one statement inserts, at least 1.
    var groupSize: Int { get }
    /// A Boolean value that indicates whether one statement can also insert fewer rows than ``groupSize``.
    var takesFewer: Bool { get }
    /// Inserts a range of a block's rows with one statement; `ids` contains the identifiers of all rows of the block.
    ///
    /// - Returns: False if the engine rejects one of the rows; in that case, none of them is inserted.
    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool
    /// Inserts one row of a block.
    ///
    /// - Throws: ``PersistenceError`` with the row's values. The code is ``PersistenceError/Code/uniqueness`` if
    ///   another row has one of its unique values.
    func insert(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError)
    /// Releases the inserter's statements; afterward, the inserter accepts no rows.
    ///
    /// A caller may retain the inserter after the end of the bulk write, when another user has the connection. The
    /// inserter must therefore release its statements in this method, and not when it is deallocated.
    func end()
}

extension SQLRowInserter {
    package var entity: EntityDescription { rows.entity }
    package var counts: InsertCounts { rows.counts }
    package var updated: ChangedIdentifiers { rows.updated }
}

/// The engine-independent state of an inserter for the rows of one entity: its options, its results and its references.
package final class SQLInsertedRows {
    package let entity: EntityDescription
    let options: InsertOptions
    /// The position of this inserter in the bulk writer's list of inserters.
    let number: Int
    var counts = InsertCounts()
    fileprivate(set) var updated = ChangedIdentifiers.none

    /// The identifiers of the new rows, if the store keeps a history.
    private(set) var insertedIDs = IdentifierRanges()
    /// The identifiers of rows that were removed or restored, because their input was rejected.
    var undoneIDs: Set<Int64> = []
    private let notesIdentifiers: Bool

    unowned let writer: SQLRowWriter
    /// A Boolean value that indicates whether the writer may remove this inserter's rows when it finally checks
    /// references.
    let mayReject: Bool
    package let defaults: RowDefaults
    /// The initial version of all rows that this inserter writes.
    package let version = ChangeSet.freshVersion()
    private var references: [Reference] = []
    private let requiredColumns: [Int]
    private lazy var conflicts = SQLRowConflicts(self)
    /// A Boolean value that indicates whether every reference is recorded, because the writer may remove rows of a
    /// referenced entity when it finally checks references.
    private var notesEverything = false

    /// A column of the entity that contains a to-one reference.
    private struct Reference {
        let column: Int
        let destination: String
        /// The number of the column among the properties with pending rows.
        let property: Int
        let keyCache: SQLForeignKeyCache
    }

    init(_ entity: EntityDescription, options: InsertOptions, number: Int, writer: SQLRowWriter) throws {
        self.entity = entity
        self.options = options
        mayReject = options.mayReject(entity)
        self.number = number
        self.writer = writer
        notesIdentifiers = writer.notesIdentifiers
        defaults = RowDefaults(entity, positions: try writer.positions(of: entity))
        requiredColumns = entity.requiredColumns
        references = try entity.columns.indices.compactMap { column in
            guard let destination = entity.columns[column].destination else { return nil }
            return Reference(
                column: column, destination: destination,
                property: writer.pending.add(SQLPendingProperty(column, to: destination, of: self)),
                keyCache: try writer.keyCache(of: destination))
        }
    }

    /// Inserts the rows of a block, as many with one statement as the engine accepts.
    package func insert(_ block: inout RowBlock, by engine: some SQLRowInserter) throws {
        guard block.columnCount == entity.columns.count else {
            throw PersistenceError.miscounted(block.columnCount, entity)
        }
        try writer.connection.checkInTransaction()
        notesEverything = references.contains { writer.mayReject($0.destination) }
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

    /// Inserts a group of a block's rows with one statement.
    ///
    /// If the engine rejects a row of the group, the method inserts smaller groups, and finally single rows, to find
    /// the rejected row.
    private func insert(
        _ block: RowBlock, _ group: Range<Int>, _ insertion: inout Insertion, _ outcomes: inout [RowOutcome],
        by engine: some SQLRowInserter
    ) throws {
        let reportsOutcomes = block.reportsOutcomes
        if options.onConflict == .abort, group.count > 1, group.count == engine.groupSize || engine.takesFewer {
            if try insert(block, group, &insertion, by: engine) {
                for member in group { try didInsert(block, member, insertion) }
                if reportsOutcomes { outcomes += repeatElement(.inserted, count: group.count) }
                return
            }
            if engine.takesFewer {
                let middle = group.lowerBound + group.count / 2
                try insert(block, group.lowerBound..<middle, &insertion, &outcomes, by: engine)
                return try insert(block, middle..<group.upperBound, &insertion, &outcomes, by: engine)
            }
        }
        for member in group {
            let before = reportsOutcomes ? counts : InsertCounts()
            try insert(block, member, &insertion, by: engine)
            if reportsOutcomes { outcomes.append(RowOutcome(of: counts, since: before)) }
        }
    }

    /// The state of the insertion of a block.
    private struct Insertion {
        /// The identifiers of the block's rows; 0 for a row whose identifier the inserter assigns.
        var ids: [Int64]
        var nextID: Int64
        /// The cache of the identifiers of the inserted entity; `nil` if no entity references this one.
        let ownKeyCache: SQLForeignKeyCache?
    }

    /// Inserts a group of rows; if the engine rejects one of them, inserts none and returns false.
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
                // A new row that waits for a unique value has its identifier already.
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
        if notesIdentifiers { insertedIDs.insert(id) }
        insertion.ownKeyCache?.insert(id)
        if !references.isEmpty { try note(block, row, owner: id, isNew: true) }
    }

    /// Runs a closure and converts an error of any type to ``PersistenceError``.
    private func rethrowing<Result>(_ body: () throws -> Result) throws(PersistenceError) -> Result {
        do {
            return try body()
        } catch let error as PersistenceError {
            throw error
        } catch {
            throw PersistenceError(.database, "\(error)", entity: entity.name)
        }
    }

    /// Handles an input row that may match an existing row, as the conflict option of the inserter defines.
    ///
    /// - Returns: The identifier of the existing row; `nil` if there is none and the input row has all mandatory
    ///   values.
    private func resolve(_ block: RowBlock, row: Int, given: Int64) throws -> Int64? {
        if let existing = try conflicts.resolve(block, row: row, given: given) { return existing }
        try checkComplete(block, row: row, id: given)
        return nil
    }

    /// Returns a Boolean value that indicates whether a row of a block may be deferred until another row releases a
    /// unique value.
    ///
    /// A deferred row may be rejected after its join rows are replaced. They can be restored only if they were
    /// recorded.
    func mayWait(_ block: RowBlock) -> Bool { !block.reportsOutcomes || mayReject || options.onFailure == nil }

    /// Defers a row until another row releases the unique value that both have; see ``WaitingRows``.
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
        if isNew, notesIdentifiers { insertedIDs.insert(id) }
        try note(block, row, owner: id, isNew: isNew)
    }

    /// Throws if an input row that matches no existing row lacks a mandatory value.
    private func checkComplete(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError) {
        for column in requiredColumns where block.cell(row, column).kind == .absent {
            var error = PersistenceError(
                .validation, "no row exists to update, and a new one violates the model:",
                entity: entity.name)
            error.failures = [
                ValidationFailure(
                    entity: entity.name, id: id, attribute: entity.columns[column].name, value: .null, rule: .mandatory)
            ]
            throw error
        }
    }

    /// Returns a row of a block as the store would store it, with default values for omitted columns.
    package func row(_ block: RowBlock, row: Int, id: Int64) -> StoredRow {
        StoredRow(id: id, values: block.values(ofRow: row) { defaults.value($0) })
    }

    /// Records the references of an input row whose targets are checked after all rows are inserted.
    func note(_ block: RowBlock, _ row: Int, owner: Int64, isNew: Bool) throws {
        for reference in references {
            let cell = block.cell(row, reference.column)
            guard cell.kind == .integer else { continue }
            let exists = try reference.keyCache.exists(cell.bits)
            guard !exists || notesEverything else { continue }
            try writer.pending.note(
                PendingRow(
                    property: reference.property, owner: owner, target: cell.bits, isNew: isNew,
                    location: block.location(ofRow: row), note: Array(block.note(ofRow: row))))
        }
    }

    /// Records that an existing row was updated.
    func didUpdate(_ id: Int64) {
        counts.updated += 1
        updated.insert(id)
    }

    /// Passes an input row's error to the error handler of the insert options; throws the error if there is no handler.
    func refuse(_ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil) throws {
        try options.refuse(error, at: location, note: note, row: row, counts: &counts)
    }

    /// Releases the inserter's statements.
    package func end() {
        references = []
        conflicts.end()
    }
}

extension RowBlock {
    func cell(_ row: Int, _ column: Int) -> Cell { cells[row * columnCount + column] }
}
