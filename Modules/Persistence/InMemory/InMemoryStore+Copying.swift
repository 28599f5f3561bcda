public import StrataCore
public import StrataStoreKit

extension InMemoryStore {
    /// Creates a store in memory with the contents of a snapshot of another store.
    ///
    /// The contents are rows with their identifiers and versions, join rows with their positions, the next ids, and
    /// user-defined metadata. Rows are validated by the model's rules as in a save, and references must not be
    /// dangling, because another program may have written the file of the store.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot; it remains open.
    ///   - model: The model of both stores.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` or
    ///   ``PersistenceError/Code/danglingReference`` for the first row that breaks a rule, or the error of a failed
    ///   read.
    /// - Complexity: O(*n*) in the count of rows and join rows, all of which are in memory afterward.
    public convenience init(copyOf snapshot: any StoreSnapshot, model: ManagedObjectModel) throws {
        self.init(copying: try State(copyOf: snapshot, model: model, validatesRows: true), model: model)
    }

    /// Creates a store with the contents of a snapshot, including rows that break rules of the model.
    ///
    /// A store may contain rows that are older than a rule.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot; it remains open.
    ///   - meter: The counter of rows and join rows, which can cancel the copy.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/danglingReference``, the error of a failed
    ///   read, or `CancellationError`.
    package convenience init(taking snapshot: any StoreSnapshot, meter: CopyMeter) throws {
        let model = snapshot.model
        self.init(copying: try State(copyOf: snapshot, model: model, validatesRows: false, meter), model: model)
    }
}

extension InMemoryStore.State {
    /// Creates a state with the contents of a snapshot.
    fileprivate init(
        copyOf snapshot: any StoreSnapshot, model: ManagedObjectModel, validatesRows: Bool, _ meter: CopyMeter? = nil
    ) throws {
        let marks = try snapshot.identifierMarks()
        var tables: [String: InMemoryTable] = [:]
        for entity in model.entities {
            var table = try InMemoryTable(entity, copyOf: snapshot, validatesRows: validatesRows, meter)
            table.nextID = max(table.nextID, marks[entity.name] ?? 1)
            tables[entity.name] = table
        }
        var joins: [String: InMemoryJoinTable] = [:]
        for join in model.joins {
            joins[join.name] = try InMemoryJoinTable(join, copyOf: snapshot, tables, meter: meter)
        }
        for table in tables.values { try table.checkReferences(into: tables) }
        self.init(tables: tables, joins: joins, metadata: try snapshot.metadata())
    }
}

extension InMemoryTable {
    fileprivate init(
        _ entity: EntityDescription, copyOf snapshot: any StoreSnapshot, validatesRows: Bool, _ meter: CopyMeter?
    ) throws {
        self.init(entity)
        deferIndexes()
        let validator = validatesRows ? RowValidator(entity) : nil
        let columns = entity.columns.indices
        _ = try snapshot.openCursor(StoreRequest(entity.name)).read { reader in
            try meter?.addRow()
            let row = StoredRow(
                id: reader.rawID, version: reader.version, values: try columns.map { try reader.value(at: $0) })
            if let validator { try Self.check(row, validator) }
            // The cursor returns rows by identifier, so each row is appended at the end.
            insert(row)
            return .next
        }
        buildIndexes()
    }

    /// Validates a row without changing its values.
    private static func check(_ row: StoredRow, _ validator: RowValidator) throws {
        var values = row.values
        var failures = validator.validate(&values, id: row.id)
        if !identifierRange.contains(row.id) {
            failures.append(
                ValidationFailure(
                    entity: validator.entity.name, id: row.id, attribute: "id", value: .integer(row.id),
                    rule: .identifier))
        }
        guard !failures.isEmpty else { return }
        var error = PersistenceError(
            .validation, "a row of the store breaks rules of the model:", entity: validator.entity.name)
        error.failures = failures
        throw error
    }

    fileprivate func checkReferences(into tables: [String: InMemoryTable]) throws {
        for (index, column) in entity.columns.enumerated() {
            guard let destination = column.destination else { continue }
            for row in rows {
                guard case .integer(let target) = row.values[index], tables[destination]?.index(of: target) == nil
                else { continue }
                throw PersistenceError.dangling(entity, index, from: row.id, to: target)
            }
        }
    }
}

extension InMemoryJoinTable {
    fileprivate init(
        _ join: JoinDescription, copyOf snapshot: any StoreSnapshot, _ tables: [String: InMemoryTable],
        meter: CopyMeter?
    ) throws {
        self.init(join)
        try snapshot.joins(JoinRequest(join.name)) { row in
            try meter?.step()
            let isTargetMissing = tables[join.targetEntity]?.index(of: row.pair.target) == nil
            if isTargetMissing || tables[join.sourceEntity]?.index(of: row.pair.source) == nil {
                throw PersistenceError.dangling(join, row.pair, isTargetMissing: isTargetMissing)
            }
            add(row)
            return .next
        }
    }
}
