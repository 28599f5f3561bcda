import StrataCore
import StrataStoreKit

/// An inserter of rows of one entity.
final class BulkInserter: RowInserter {
    let entity: EntityDescription
    let options: InsertOptions
    private(set) var counts = InsertCounts()
    private(set) var updated = ChangedIdentifiers.none

    private let writer: BulkWriter
    private let defaults: RowDefaults
    private let version = ChangeSet.freshVersion()
    /// The original rows of changed ones, if the changes can be rolled back.
    private var before: [Int64: StoredRow] = [:]

    init(_ entity: EntityDescription, _ options: InsertOptions, writer: BulkWriter) {
        self.entity = entity
        self.options = options
        self.writer = writer
        defaults = RowDefaults(entity)
    }

    private var table: Table { writer.database.tables[entity.name] ?? Table(entity) }

    private func put(_ row: StoredRow) { writer.database.tables[entity.name]?.put(row) }

    // MARK: Rows

    func insert(_ block: inout RowBlock) throws {
        try writer.checkOpen()
        guard block.columnCount == entity.columns.count else {
            throw PersistenceError(
                .invalidRequest,
                "the row has \(block.columnCount) values, but the entity has \(entity.columns.count) "
                    + "columns",
                entity: entity.name)
        }
        for index in 0..<block.count {
            do {
                guard let (id, isNew) = try write(&block, index) else { continue }
                block.setID(id, row: index)
                writer.note(entry(of: id, isNew: isNew, block, index))
            } catch let error as PersistenceError {
                try refuse(error, at: block.location(ofRow: index), note: Array(block.note(ofRow: index)))
            }
        }
    }

    private func entry(of id: Int64, isNew: Bool, _ block: RowBlock, _ index: Int) -> BulkWriter.Entry {
        var targets: [Int: Int64] = [:]
        for column in table.references {
            if case .integer(let target) = block.value(row: index, column: column) { targets[column] = target }
        }
        return BulkWriter.Entry(
            inserter: self, id: id, isNew: isNew, targets: targets, location: block.location(ofRow: index),
            note: Array(block.note(ofRow: index)))
    }

    /// Writes one row.
    ///
    /// - Returns: The row's identifier and a Boolean value that indicates whether the row is new, or `nil` if it was
    ///   ignored.
    private func write(_ block: inout RowBlock, _ index: Int) throws -> (id: Int64, isNew: Bool)? {
        let given = block.id(ofRow: index)
        if options.onConflict != .abort, let stored = try storedRow(block, index, given) {
            if options.onConflict == .ignore {
                counts.ignored += 1
                block.setID(stored.id, row: index)
                return nil
            }
            try update(stored, block, index)
            return (stored.id, false)
        }
        if options.onConflict == .update { try checkComplete(block, index, given) }
        let id = given ?? table.nextID
        guard identifierRange.contains(id) else { throw PersistenceError.identifiersExhausted(entity.name) }
        let values = entity.columns.indices.map { block.value(row: index, column: $0) ?? defaults.value($0) }
        let row = StoredRow(id: id, version: version, values: values)
        try table.checkUniqueness(of: row, isNew: true)
        put(row)
        counts.inserted += 1
        return (id, true)
    }

    /// Returns the stored row with the identifier or a unique value of an input row.
    private func storedRow(_ block: RowBlock, _ index: Int, _ given: Int64?) throws -> StoredRow? {
        var found = given.flatMap { table.rows[$0] }
        for key in entity.uniqueKeys {
            guard let value = key.value({ block.value(row: index, column: $0) }),
                let owner = table.owner(of: value, in: key)
            else { continue }
            if options.onConflict == .ignore { return table.rows[owner] }
            if let id = found?.id ?? given, id != owner {
                throw PersistenceError.takenByOther(entity, key: key, value: value, id: id, owner: owner)
            }
            found = table.rows[owner]
        }
        return found
    }

    private func checkComplete(_ block: RowBlock, _ index: Int, _ given: Int64?) throws {
        let absent = entity.requiredColumns.filter { block.value(row: index, column: $0) == nil }
        guard !absent.isEmpty else { return }
        var error = PersistenceError(
            .validation, "no row exists to update, and a new one violates the model:",
            entity: entity.name)
        error.failures = absent.map {
            ValidationFailure(
                entity: entity.name, id: given ?? 0, attribute: entity.columns[$0].name, value: .null, rule: .mandatory)
        }
        throw error
    }

    private func update(_ stored: StoredRow, _ block: RowBlock, _ index: Int) throws {
        var row = stored
        row.version += 1
        for (place, column) in entity.columns.enumerated() {
            let value = block.value(row: index, column: place)
            if column.isImmutable {
                guard let value, value != stored.values[place] else { continue }
                throw PersistenceError.immutableChanged(entity, column: place, value: value, id: stored.id)
            }
            row.values[place] = value ?? (options.onConflict == .replace ? defaults.value(place) : row.values[place])
        }
        try table.checkUniqueness(of: row, isNew: false)
        if before[stored.id] == nil { before[stored.id] = stored }
        put(row)
        counts.updated += 1
        updated.insert(stored.id)
    }

    // MARK: Rejected rows

    func refuse(_ error: PersistenceError, at location: RowLocation, note: [UInt8]) throws {
        try options.refuse(error, at: location, note: note, counts: &counts)
    }

    func nulledReference() { counts.nulledReferences += 1 }

    /// Rolls back an input row.
    ///
    /// - Returns: `false` if the row was new and is already deleted because another input row changed it.
    func revert(_ entry: BulkWriter.Entry) throws -> Bool {
        let exists = table.rows[entry.id] != nil
        if entry.isNew {
            guard exists else { return false }
            writer.database.remove(entry.id, of: entity.name)
            counts.inserted -= 1
            return true
        }
        counts.updated -= 1
        guard exists, let stored = before[entry.id] else { return true }
        do {
            try table.checkUniqueness(of: stored, isNew: false)
        } catch var error as PersistenceError {
            // Another input row has the value now, and either of the two may be wrong.
            error.location = entry.location
            throw error
        }
        put(stored)
        return true
    }
}
