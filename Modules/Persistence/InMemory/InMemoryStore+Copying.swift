public import StrataCore

extension InMemoryStore {
    /// A store in memory with everything that one state of another store holds.
    ///
    /// That is rows with their identifiers and versions, pairs with their positions, the next identifiers and what
    /// users kept in the store. Rows are checked by the model's rules as a save would, and references must lead
    /// somewhere: the store may be a file that another program has written.
    ///
    /// - Parameters:
    ///   - snapshot: The state; it stays open.
    ///   - model: The model of both stores.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` or
    ///   ``PersistenceError/Code/danglingReference`` for the first row that breaks a rule, or what hinders reading.
    /// - Complexity: O(*n*) in the rows and pairs, all of which are in memory afterwards.
    public convenience init(copyOf snapshot: any StoreSnapshot, model: ManagedObjectModel) throws {
        self.init(copying: try State(copyOf: snapshot, model: model, judgesRows: true), model: model)
    }

    /// The same, with rows that break rules of the model as they are: a store may hold some that were there before the rule.
    ///
    /// - Parameters:
    ///   - snapshot: The state; it stays open.
    ///   - meter: Counts rows and pairs, and may have enough of them.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/danglingReference``, or what hinders reading; `CancellationError`.
    package convenience init(taking snapshot: any StoreSnapshot, meter: CopyMeter) throws {
        let model = snapshot.model
        self.init(copying: try State(copyOf: snapshot, model: model, judgesRows: false, meter), model: model)
    }
}

extension InMemoryStore.State {
    /// Everything that one state of a store holds.
    fileprivate init(
        copyOf snapshot: any StoreSnapshot, model: ManagedObjectModel, judgesRows: Bool, _ meter: CopyMeter? = nil
    ) throws {
        let marks = try snapshot.identifierMarks()
        var tables: [String: InMemoryTable] = [:]
        for entity in model.entities {
            var table = try InMemoryTable(entity, copyOf: snapshot, judgesRows: judgesRows, meter)
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
        _ entity: EntityDescription, copyOf snapshot: any StoreSnapshot, judgesRows: Bool, _ meter: CopyMeter?
    ) throws {
        self.init(entity)
        deferIndexes()
        let validator = judgesRows ? RowValidator(entity) : nil
        let columns = entity.columns.indices
        _ = try snapshot.openCursor(StoreRequest(entity.name)).read { reader in
            try meter?.addRow()
            let row = StoredRow(
                id: reader.rawID, version: reader.version, values: try columns.map { try reader.value(at: $0) })
            if let validator { try Self.check(row, validator) }
            // Rows come by identifier, so that each is the last.
            insert(row)
            return .next
        }
        buildIndexes()
    }

    /// Checks a row, and leaves its values as the file has them.
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
