import StrataCore
import StrataStoreKit

/// An inserter of one entity's rows in a bulk write to an in-memory store.
final class InMemoryRowInserter: RowInserter {
    let entity: EntityDescription
    let options: InsertOptions
    /// The index of this inserter among the writer's inserters.
    let number: Int
    private(set) var counts = InsertCounts()
    private(set) var updated = ChangedIdentifiers.none

    private unowned let writer: InMemoryRowWriter
    private let defaults: RowDefaults
    private let references: [Int]
    /// The initial version of all rows of this insert.
    private let version = ChangeSet.freshVersion()
    /// Placeholders for keys that resolved to a row already owned elsewhere, by column.
    ///
    /// They are not treated as dangling references; a row that references one is rejected.
    private var refusedTargets: [Int: Set<Int64>] = [:]
    private var written: [Written] = []
    private var kept: [Int64: StoredRow] = [:]
    /// A Boolean value that indicates whether the writer has ended, so that the inserter must not use it.
    var isOver = false

    /// A written row that references other rows.
    private struct Written {
        let id: Int64
        let isNew: Bool
        /// The identifiers that the row references, by the index of the reference column.
        var targets: [Int: Int64]
        /// A Boolean value that indicates whether the row was rejected.
        var isRejected = false
        let location: RowLocation
        let note: [UInt8]
    }

    init(_ entity: EntityDescription, options: InsertOptions, number: Int, writer: InMemoryRowWriter) {
        self.entity = entity
        self.number = number
        self.options = options
        self.writer = writer
        defaults = RowDefaults(entity, positions: writer.positions(of: entity))
        references = entity.columns.indices.filter { entity.columns[$0].destination != nil }
    }

    private var table: InMemoryTable {
        get { writer.tables[entity.name] ?? InMemoryTable(entity) }
        _modify { yield &writer.tables[entity.name, default: InMemoryTable(entity)] }
    }

    func insert(_ block: inout RowBlock) throws {
        guard block.columnCount == entity.columns.count else {
            throw PersistenceError(
                .invalidRequest,
                "the row has \(block.columnCount) values, but the entity has \(entity.columns.count) columns",
                entity: entity.name)
        }
        if isOver { throw PersistenceError.transactionIsOver }
        block.outcomes = []
        for row in 0..<block.count {
            let before = counts
            defer { if block.reportsOutcomes { block.outcomes.append(RowOutcome(of: counts, since: before)) } }
            do {
                let (id, isNew) = try write(block, row)
                block.ids[row] = id
                if let isNew { noteReferences(of: block, row, id, isNew: isNew) }
            } catch let error as PersistenceError {
                try refuse(error, at: block.location(ofRow: row), note: Array(block.note(ofRow: row)))
            }
        }
    }

    private func noteReferences(of block: RowBlock, _ row: Int, _ id: Int64, isNew: Bool) {
        var targets: [Int: Int64] = [:]
        for column in references {
            if case .integer(let target) = block.value(row: row, column: column) { targets[column] = target }
        }
        guard !targets.isEmpty else { return }
        let note = Array(block.note(ofRow: row))
        written.append(
            Written(id: id, isNew: isNew, targets: targets, location: block.location(ofRow: row), note: note))
    }

    /// Writes one row, and returns its identifier and whether it is new, or `nil` instead if it was ignored.
    private func write(_ block: RowBlock, _ row: Int) throws -> (id: Int64, isNew: Bool?) {
        let given = block.id(ofRow: row)
        if options.onConflict != .abort, let match = match(block, row: row, given: given) {
            if options.onConflict == .ignore {
                counts.ignored += 1
                return (match.id, nil)
            }
            do {
                if let collision = match.collision { throw collision }
                try update(match.existing, block: block, row: row)
            } catch let error as PersistenceError where error.code == .uniqueness && mayWait(block) {
                return (match.id, try wait(block, row, match, error))
            }
            return (match.id, false)
        }
        if options.onConflict == .update { try checkComplete(block, row: row, id: given) }
        let id = given ?? table.nextID
        guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(entity.name) }
        let values = block.values(ofRow: row) { defaults.value($0) }
        let stored = StoredRow(id: id, version: version, values: values)
        try checkUnique(stored, exceptOwn: false)
        table.insert(stored)
        counts.inserted += 1
        return (id, true)
    }

    /// The row in the store that an input row inserts again or updates.
    private struct Match {
        let id: Int64
        /// The stored row, or `nil` if the row waits to be inserted.
        let existing: StoredRow?
        /// The error if another row has a unique value of the input row.
        let collision: PersistenceError?
    }

    private func match(_ block: RowBlock, row: Int, given: Int64?) -> Match? {
        var found = given.flatMap { table.row($0) }
        var collision = given.flatMap { writer.waitingError(of: $0, entity) }
        for (place, key) in entity.uniqueKeys.enumerated() {
            guard let value = key.value({ block.value(row: row, column: $0) }), let owner = table.owners[place][value]
            else { continue }
            if options.onConflict == .ignore { return Match(id: owner, existing: table.row(owner), collision: nil) }
            if let first = found?.id ?? given, first != owner {
                collision =
                    collision ?? .takenByOther(entity, key: key, value: value, id: first, owner: owner)
            } else {
                found = table.row(owner)
            }
        }
        if let found {
            collision = collision ?? writer.waitingError(of: found.id, entity)
            return Match(id: found.id, existing: found, collision: collision)
        }
        guard let given, let collision else { return nil }
        return Match(id: given, existing: nil, collision: collision)
    }

    /// Returns a Boolean value that indicates whether a row of a block may wait for a unique value of another row.
    ///
    /// The join rows of a row that is rejected at the end can be restored only if they were retained.
    private func mayWait(_ block: RowBlock) -> Bool {
        !block.reportsOutcomes || options.mayReject(entity) || options.onFailure == nil
    }

    /// Lets a row wait for a unique value that another row has; see ``WaitingRows``.
    ///
    /// - Returns: A Boolean value that indicates whether the row is new.
    private func wait(_ block: RowBlock, _ row: Int, _ match: Match, _ error: PersistenceError) throws -> Bool {
        let isNew = match.existing == nil && writer.waitingError(of: match.id, entity) == nil
        if isNew, options.onConflict == .update { try checkComplete(block, row: row, id: match.id) }
        let values = try entity.columns.indices.map { column in
            let value = block.value(row: row, column: column)
            if let existing = match.existing { try checkImmutable(value, column, existing) }
            let isDefault = isNew || (options.onConflict == .replace && !entity.columns[column].isImmutable)
            return value ?? (isDefault ? defaults.value(column) : nil)
        }
        if let existing = match.existing { keep(existing) }
        writer.wait(
            WaitingRows.Row(
                id: match.id, inserter: number, isNew: isNew, values: values, error: error,
                location: block.location(ofRow: row), note: Array(block.note(ofRow: row))), of: entity)
        if isNew {
            counts.inserted += 1
            table.nextID = max(table.nextID, match.id + 1)
        } else {
            counts.updated += 1
            updated.insert(match.id)
        }
        return isNew
    }

    /// Rejects a row that waited for a unique value, because another row still has the value.
    func refuse(waiting row: WaitingRows.Row) throws {
        undo(row.id, isNew: row.isNew, at: row.location)
        try refuse(row.error, at: row.location, note: row.note)
    }

    /// Deletes the join rows of a rejected new row, or restores those of an updated row, and corrects the counts.
    private func undo(_ id: Int64, isNew: Bool, at location: RowLocation) {
        if isNew {
            for name in writer.joins.keys { writer.joins[name]?.remove(id, of: entity.name) }
            counts.inserted -= 1
        } else {
            writer.restorePairs(of: id, self, at: location)
            counts.updated -= 1
        }
    }

    private func keep(_ row: StoredRow) {
        if options.mayReject(entity), kept[row.id] == nil { kept[row.id] = row }
    }

    private func checkComplete(_ block: RowBlock, row: Int, id: Int64?) throws {
        for column in entity.requiredColumns where block.value(row: row, column: column) == nil {
            var error = PersistenceError(
                .validation, "no row exists to update, and a new one violates the model:",
                entity: entity.name)
            error.failures = [
                ValidationFailure(
                    entity: entity.name, id: id ?? 0, attribute: entity.columns[column].name, value: .null,
                    rule: .mandatory)
            ]
            throw error
        }
    }

    private func checkImmutable(_ value: StoredValue?, _ column: Int, _ existing: StoredRow) throws {
        guard entity.columns[column].isImmutable, let value, value != existing.values[column] else { return }
        throw PersistenceError.immutableChanged(entity, column: column, value: value, id: existing.id)
    }

    private func update(_ existing: StoredRow?, block: RowBlock, row: Int) throws {
        guard let existing else { return }
        var changed = existing
        changed.version += 1
        for (index, column) in entity.columns.enumerated() {
            let value = block.value(row: row, column: index)
            try checkImmutable(value, index, existing)
            if column.isImmutable { continue }
            if let value {
                changed.values[index] = value
            } else if options.onConflict == .replace {
                changed.values[index] = defaults.value(index)
            }
        }
        try checkUnique(changed, exceptOwn: true)
        keep(existing)
        table.replace(changed)
        counts.updated += 1
        updated.insert(existing.id)
    }

    private func checkUnique(_ row: StoredRow, exceptOwn: Bool) throws {
        if !exceptOwn, table.contains(row.id) { throw PersistenceError.taken(entity, row.id) }
        for (place, key) in entity.uniqueKeys.enumerated() {
            guard let value = key.value(of: row.values), let owner = table.owners[place][value],
                !exceptOwn || owner != row.id
            else { continue }
            throw PersistenceError.taken(entity, key: key, value: value, by: row.id)
        }
    }

    private func refuse(
        _ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil
    ) throws {
        try options.refuse(error, at: location, note: note, row: row, counts: &counts)
    }

    // MARK: - At the end

    /// Replaces the targets of references in written rows.
    ///
    /// - Returns: The error for each target that could not be replaced.
    func redirect(_ column: Int, _ targets: [Int64: Int64]) throws -> [Int64: PersistenceError] {
        var refused: [Int64: PersistenceError] = [:]
        for index in written.indices {
            guard let old = written[index].targets[column], let new = targets[old],
                var row = table.row(written[index].id), row.values[column] == .integer(old)
            else { continue }
            row.values[column] = .integer(new)
            do {
                try checkUnique(row, exceptOwn: true)
            } catch let error as PersistenceError {
                refused[old] = error
                if options.onMissingReference == .null { refusedTargets[column, default: []].insert(old) }
                continue
            }
            table.replace(row)
            written[index].targets[column] = new
        }
        return refused
    }

    /// Discards the information about rows whose references were checked.
    func forgetWritten() { (written, kept, refusedTargets) = ([], [:], [:]) }

    /// Returns the target of a written reference if it is dangling, unless a later row has changed the reference.
    private func missingTarget(_ written: Written, _ column: Int) -> Int64? {
        guard let target = written.targets[column], let destination = entity.columns[column].destination,
            table.row(written.id)?.values[column] == .integer(target), !writer.exists(target, destination)
        else { return nil }
        return target
    }

    /// Returns the first dangling reference of a row.
    private func missingReference(_ written: Written) -> (column: Int, target: Int64)? {
        for column in references {
            if let target = missingTarget(written, column) { return (column, target) }
        }
        return nil
    }

    /// Rejects rows with dangling references, or references to rows owned elsewhere; returns `true` if there were any.
    func rejectMissing() throws -> Bool {
        let isRejecting = options.onMissingReference == .reject
        guard isRejecting || !refusedTargets.isEmpty else { return false }
        var isChanged = false
        for column in references {
            // All dangling references are collected first: if one row is rejected, another input row that updated the
            // same row is reported too.
            let missing = written.indices.compactMap { index -> (index: Int, target: Int64)? in
                guard !written[index].isRejected, let target = missingTarget(written[index], column) else { return nil }
                return isRejecting || refusedTargets[column]?.contains(target) == true ? (index, target) : nil
            }
            for (index, target) in missing {
                let row = written[index]
                let error = PersistenceError.dangling(entity, column, from: row.id, to: target)
                guard try rejectDangling(row.id, isNew: row.isNew, error, at: row.location, note: row.note) else {
                    continue
                }
                written[index].isRejected = true
                isChanged = true
            }
        }
        return isChanged
    }

    /// Rejects an input row with a dangling reference, and reverts its effect on the table.
    ///
    /// A new row is removed from the table. An updated row is restored to its state before its first update.
    ///
    /// - Returns: `false` if the new row has already been removed.
    func rejectDangling(
        _ id: Int64, isNew: Bool, _ error: PersistenceError, at location: RowLocation, note: [UInt8]
    ) throws -> Bool {
        var row: StoredRow?
        if isNew {
            row = table.row(id)
            guard row != nil else { return false }
            table.remove([id])
        } else {
            try restore(id, at: location)
        }
        undo(id, isNew: isNew, at: location)
        try refuse(error, at: location, note: note, row: row)
        return true
    }

    /// Restores a row to its state before its first update, unless it was new and is deleted.
    private func restore(_ id: Int64, at location: RowLocation) throws {
        guard table.contains(id), let before = kept[id] else { return }
        do {
            try checkUnique(before, exceptOwn: true)
        } catch var error as PersistenceError {
            // Another input row has the value meanwhile; the data do not show which of the two is wrong.
            error.location = location
            throw error
        }
        table.replace(before)
    }

    /// Sets dangling references to null.
    func makeNull() throws {
        guard options.onMissingReference == .null else { return }
        for row in written {
            while let missing = missingReference(row), entity.columns[missing.column].isOptional {
                guard var stored = table.row(row.id) else { break }
                stored.values[missing.column] = .null
                table.replace(stored)
                counts.nulledReferences += 1
            }
        }
    }

    /// The first dangling reference, in the order of the input, that the options do not allow.
    var firstError: PersistenceError? {
        guard options.onMissingReference != .reject,
            let row = written.filter({ missingReference($0) != nil }).min(by: { $0.location < $1.location }),
            let missing = missingReference(row)
        else { return nil }
        var error = PersistenceError.dangling(entity, missing.column, from: row.id, to: missing.target)
        error.location = row.location
        return error
    }
}
