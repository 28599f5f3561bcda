import StrataCore

/// A batch deletion as a few statements of the store: what goes along, what loses a reference and what is left, each a condition.
///
/// Every entity is deleted from once, and nothing keeps anything from going; where it is not so plain, rows tell.
struct SetDeletion {
    private let reader: BatchReader
    /// What goes, whatever refers to others before these.
    private var deletions: [(entity: EntityDescription, condition: FetchCondition?)] = []
    /// The references that are lost by what stays.
    private var cleared: [(entity: EntityDescription, column: Int, condition: FetchCondition)] = []
    /// The entities that are deleted from.
    private var reached: Set<String> = []
    /// Whether what is selected depends on other rows, which change before it goes.
    private let isDecidedByOthers: Bool
    private var model: ManagedObjectModel { reader.model }

    /// Looks at what the delete rules would do; nothing is written.
    ///
    /// - Returns: `nil` where rows have to be seen: something denies the deletion or may not lose its reference, an entity is reached in two ways, or what is
    ///   deleted depends on what other rows are.
    init?(
        _ entity: EntityDescription, where condition: FetchCondition?, in transaction: any SetBasedTransaction
    ) throws {
        reader = BatchReader(transaction: transaction, model: transaction.model)
        let request = try StoreRequest(entity.name, where: condition).resolved(in: transaction.model)
        isDecidedByOthers = request.condition?.traversesRelationships ?? false
        guard try add(entity, condition) else { return nil }
        let losers = Set(cleared.map(\.entity.name))
        // What loses two references is changed once, and what goes loses none.
        guard losers.count == cleared.count, losers.isDisjoint(with: reached) else { return nil }
    }

    /// Carries the deletion out.
    ///
    /// - Throws: ``RowsNeeded`` where a rule is broken; ``PersistenceError`` with the rows that lose a reference and are refused by their record's initialiser, or why
    ///   the store could not do it.
    func run(in transaction: any SetBasedTransaction) throws -> (selected: [Int64], touched: TouchedRows) {
        var touched = TouchedRows()
        let owners = try ownersThatLose()
        for (entity, column, condition) in cleared {
            let update = ResolvedUpdate(
                entity: entity, condition: try resolved(condition, entity),
                assignments: [.init(column: column, value: .constant(.null))])
            let updated = try transaction.update(update)
            if !updated.isEmpty { touched.updated[entity.name] = updated }
        }
        var selected: [Int64] = []
        for (entity, condition) in deletions {
            // What the condition selects comes last.
            selected = try transaction.delete(entity, where: try condition.flatMap { try resolved($0, entity) })
            if !selected.isEmpty { touched.deleted[entity.name] = selected }
        }
        for (entity, _, _) in cleared {
            guard var check = RecordCheck(entity, in: model) else { continue }
            let areSame = try check.judge(touched.updated[entity.name] ?? [], in: transaction)
            if let refused = check.error { throw refused }
            if !areSame { throw RowsNeeded() }
        }
        let failures = try CountCheck(transaction).failures(owners)
        if let first = deletions.last, !failures.isEmpty { throw PersistenceError.broken(failures, first.entity.name) }
        return (selected, touched)
    }

    private func resolved(_ condition: FetchCondition, _ entity: EntityDescription) throws -> ResolvedCondition? {
        try StoreRequest(entity.name, where: condition).resolved(in: model).condition
    }

    // MARK: Delete rules

    /// Adds what goes of an entity, and with it.
    ///
    /// - Returns: Whether nothing has to be seen.
    private mutating func add(_ entity: EntityDescription, _ condition: FetchCondition?) throws -> Bool {
        guard reached.insert(entity.name).inserted else { return false }
        for relationship in entity.relationships {
            if try isCountedByPairs(relationship, entity, condition) { return false }
            let (_, destination, place) = try model.relationship(relationship.name, of: entity)
            switch (relationship.deleteRule, place) {
            case (.noAction, _), (.nullify, .ownColumn), (.nullify, .join): continue
            case (.deny, _), (.cascade, .ownColumn), (.cascade, .join):
                if try isAny(of: entity, Self.leading(relationship, condition)) { return false }
            case (.nullify, .inverseColumn(let column)), (.cascade, .inverseColumn(let column)):
                guard let inverse = relationship.inverse else { return false }
                let refers = FetchCondition.related(inverse, condition ?? .constant(true))
                guard try isAny(of: destination, refers) else { continue }
                // What refers is changed first, and must not change what is selected.
                guard destination.name != entity.name, !isDecidedByOthers else { return false }
                if relationship.deleteRule == .cascade {
                    guard try add(destination, refers) else { return false }
                } else {
                    guard destination.columns[column].isOptional, destination.computedColumns.isEmpty
                    else { return false }
                    cleared.append((destination, column, refers))
                }
            }
        }
        deletions.append((entity, condition))
        return true
    }

    private func isAny(of entity: EntityDescription, _ condition: FetchCondition) throws -> Bool {
        try reader.transaction.count(StoreRequest(entity.name, where: condition, limit: 1)) > 0
    }

    /// What of the rows that a condition selects leads to anything.
    private static func leading(
        _ relationship: RelationshipDescription, _ condition: FetchCondition?
    ) -> FetchCondition {
        let leads = FetchCondition.related(relationship.name, .constant(true))
        return condition.map { $0 && leads } ?? leads
    }

    // MARK: Counts

    /// Whether rows lead by pairs to objects that have to have some.
    private func isCountedByPairs(
        _ relationship: RelationshipDescription, _ entity: EntityDescription, _ condition: FetchCondition?
    ) throws -> Bool {
        guard let inverse = relationship.inverse,
            CountedOwners(model).key(inverse, of: relationship.destination) != nil,
            case .join = try model.relationship(relationship.name, of: entity).place
        else { return false }
        return try isAny(of: entity, Self.leading(relationship, condition))
    }

    /// Who loses an object and has to have some, by the references of what goes.
    private func ownersThatLose() throws -> CountedOwners {
        var owners = CountedOwners(model)
        for (entity, condition) in deletions {
            for (column, key) in owners.columns(of: entity) {
                let refers = FetchCondition.compare(
                    .property(entity.columns[column].name), .notEqual, .constant(.null))
                let request = StoreRequest(entity.name, where: condition.map { $0 && refers } ?? refers)
                var reading = CancellableReading()
                try reader.transaction.fetch(request) { row in
                    try reading.next()
                    owners.note(try row.value(at: column), key)
                    return .next
                }
            }
        }
        return owners
    }
}
