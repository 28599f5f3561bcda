extension WorkingContext {
    /// Fetches objects, changes that were not saved included.
    ///
    /// One statement, however many objects. An object the context has already is given as it is, refreshed when it has no changes of its own.
    ///
    /// - Throws: ``PersistenceError``.
    public func fetch<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> [Managed<Record>] {
        try throwMergeFailure()
        let lowered = try request.lowered()
        let register = try register(lowered.entity)
        guard register.hasPending else { return try readObjects(lowered, register) }
        try lowered.validate(in: model)

        // Rows with pending changes are judged in memory by their current values; the window is cut after both are merged.
        let request = lowered.beforeMerging(excluding: register.storedPendingIDs)
        let stored: [Managed<Record>] = try readObjects(request, register).filter { $0.state != .inserted }
        let matching = try pendingObjects(lowered, register).compactMap { $0 as? Managed<Record> }
        let order = RowOrder(lowered.sort, register.entity)
        let merged = (stored + matching).map { ($0, (id: $0.rawID, values: $0.currentRow().values)) }
            .sorted { order.precedes($0.1, $1.1) }
            .map(\.0)
        return lowered.window(merged)
    }

    /// Fetches records: values, which may leave the context.
    ///
    /// Changes that were not saved are included.
    public func fetchRecords<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        let register = try register(Record.entity.name)
        guard !register.hasPending else { return try fetch(request).map(\.record) }
        try throwMergeFailure()
        var records: [Record] = []
        let append = Record.entity.append
        try coordinator.fetch(try request.lowered()) { row in
            try append(row, &records)
            return .next
        }
        return records
    }

    /// The number of objects a fetch would give, changes that were not saved included.
    ///
    /// One statement.
    public func count<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> Int {
        try throwMergeFailure()
        let lowered = try request.lowered()
        let register = try register(lowered.entity)
        guard register.hasPending else { return try coordinator.count(lowered) }
        try lowered.validate(in: model)
        var unlimited = lowered.excluding(register.storedPendingIDs)
        (unlimited.limit, unlimited.offset, unlimited.sort) = (nil, 0, [])
        let total = try coordinator.count(unlimited) + pendingObjects(lowered, register).count
        return max(0, min(total - lowered.offset, lowered.limit ?? Int.max))
    }

    /// The object with an identifier, not read yet.
    public func object<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type = Record.self) -> Fault<
        Record
    > {
        Fault(id, self)
    }

    /// The object with an identifier: the one the context has, or read from the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, or it was deleted here.
    public func existingObject<Record: PersistentRecord>(
        with id: Record.ID, of type: Record.Type = Record.self
    ) throws -> Managed<Record> {
        guard let object = try findObject(with: id, of: type) else {
            throw PersistenceError(.objectNotFound, "there is no object \(id.rawValue)", entity: Record.entity.name)
        }
        return object
    }

    /// The object with an identifier, if the context has it; never reads.
    public func registeredObject<Record: PersistentRecord>(
        for id: Record.ID, of type: Record.Type = Record.self
    ) -> Managed<Record>? {
        registers[Record.entity.name]?.object(id.rawValue) as? Managed<Record>
    }

    /// The object with an identifier, or `nil` when there is none or it was deleted here.
    func findObject<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type) throws -> Managed<Record>? {
        try throwMergeFailure()
        let register = try register(Record.entity.name)
        if let object = register.object(id.rawValue) as? Managed<Record> {
            return object.state == .deleted || object.state == .detached ? nil : object
        }
        // Its place may have been taken by a new object with the same identifier, which was deleted too.
        if register.deleted[id.rawValue] != nil { return nil }
        let found: [Managed<Record>] = try readObjects(try FetchRequest<Record>(id: id).lowered(), register)
        return found.first
    }

    /// Reads rows as objects of a type known at run time only.
    func readObjects(of entity: String, where condition: Condition) throws -> [ManagedObject] {
        func read<Record: PersistentRecord>(_ type: Record.Type) throws -> [ManagedObject] {
            let objects: [Managed<Record>] = try readObjects(
                StoreRequest(entity, where: condition), try register(entity))
            return objects
        }
        return try read(try model.recordType(of: entity))
    }

    private func readObjects<Record: PersistentRecord>(
        _ request: StoreRequest, _ register: EntityRegister
    ) throws -> [Managed<Record>] {
        var objects: [Managed<Record>] = []
        let entity = Record.entity
        try coordinator.fetch(request) { row in
            if let known = register.object(row.rawID) as? Managed<Record>, known.state != .detached {
                if known.state == .unchanged, known.version != row.version {
                    try known.rebase(onto: try row.stored(entity.description), keepingChanges: false)
                }
                objects.append(known)
            } else {
                let object = Managed(reading: try entity.read(row), version: row.version, in: self)
                register.register(object)
                objects.append(object)
            }
            return .next
        }
        return objects
    }

    /// The new and changed objects that a request's condition selects.
    private func pendingObjects(_ request: StoreRequest, _ register: EntityRegister) throws -> [ManagedObject] {
        let evaluator = try request.condition.map { try ConditionEvaluator($0, entity: register.entity) }
        return try (register.insertedInOrder + Array(register.updated.values)).filter { object in
            try evaluator?.matches(id: object.rawID, values: object.currentRow().values) ?? true
        }
    }
}

extension StoreRequest {
    func excluding(_ ids: Set<Int64>) -> StoreRequest {
        guard !ids.isEmpty else { return self }
        var request = self
        let excluded = Condition.not(.isIn(.property("id"), ids.map(StoredValue.integer).sorted()))
        request.condition = condition.map { $0 && excluded } ?? excluded
        return request
    }

    /// The rows of the store that a window over them and others can show.
    func beforeMerging(excluding ids: Set<Int64>) -> StoreRequest {
        var request = excluding(ids)
        request.offset = 0
        request.limit = limit.map { $0.addingReportingOverflow(offset) }.map { $0.overflow ? Int.max : $0.partialValue }
        return request
    }
}

extension RowReader {
    /// The row by value.
    func stored(_ entity: EntityDescription) throws -> StoredRow {
        StoredRow(id: rawID, version: version, values: try entity.columns.indices.map { try value(at: $0) })
    }
}
