import StrataCore

/// A batch deletion as a few set-based statements of the store.
///
/// The deleted rows of an entity, and the rows that lose a reference, are each a condition. The deletion is set-based
/// only if it deletes from every entity once and no rule can deny it. Otherwise the batch runs row by row.
struct SetDeletion {
    private let reader: BatchReader
    /// The conditions of the deleted rows; entities that reference others precede them.
    private var deletions: [(entity: EntityDescription, condition: FetchCondition?)] = []
    /// The references to deleted rows that are set to null in the remaining rows.
    private var cleared: [(entity: EntityDescription, column: Int, condition: FetchCondition)] = []
    /// The names of the entities from which rows are deleted.
    private var reached: Set<String> = []
    /// A Boolean value that indicates whether the selection depends on rows of related objects.
    ///
    /// The related rows may change before the deletion.
    private let isDecidedByOthers: Bool
    private var model: ManagedObjectModel { reader.model }

    /// Creates a deletion by reading the effects of the delete rules; nothing is written.
    ///
    /// - Returns: `nil` if rows must be processed one by one. The reason is that a rule denies the deletion, a
    ///   reference may not be null, an entity is reached in two ways, or the selection depends on other rows.
    init?(
        _ entity: EntityDescription, where condition: FetchCondition?, in transaction: any SetBasedTransaction
    ) throws {
        reader = BatchReader(transaction: transaction, model: transaction.model)
        let request = try StoreRequest(entity.name, where: condition).resolved(in: transaction.model)
        isDecidedByOthers = request.condition?.traversesRelationships ?? false
        guard try add(entity, condition) else { return nil }
        let losers = Set(cleared.map(\.entity.name))
        // A row that loses two references may be changed only once, and a deleted row may not lose references.
        guard losers.count == cleared.count, losers.isDisjoint(with: reached) else { return nil }
    }

    /// Runs the deletion.
    ///
    /// - Throws: ``FallbackToRows`` if a rule is broken; ``PersistenceError`` with the rows that lose a reference and
    ///   that their record's initializer rejects, or with the reason why the store failed.
    func run(in transaction: any SetBasedTransaction) throws -> (selected: [Int64], touched: TouchedRows) {
        var touched = TouchedRows()
        let owners = try ownersLosingObjects()
        for (entity, column, condition) in cleared {
            let update = ResolvedUpdate(
                entity: entity, condition: try resolved(condition, entity),
                assignments: [.init(column: column, value: .constant(.null))])
            let updated = try transaction.update(update)
            if !updated.isEmpty { touched.updated[entity.name] = updated }
        }
        var selected: [Int64] = []
        for (entity, condition) in deletions {
            // The selected rows of the batch's own entity are deleted last.
            selected = try transaction.delete(entity, where: try condition.flatMap { try resolved($0, entity) })
            if !selected.isEmpty { touched.deleted[entity.name] = selected }
        }
        for (entity, _, _) in cleared {
            guard var check = RecordCheck(entity, in: model) else { continue }
            let areSame = try check.validate(touched.updated[entity.name] ?? [], in: transaction)
            if let refused = check.error { throw refused }
            if !areSame { throw FallbackToRows() }
        }
        let failures = try CountCheck(transaction).failures(owners)
        if let first = deletions.last, !failures.isEmpty { throw PersistenceError.broken(failures, first.entity.name) }
        return (selected, touched)
    }

    private func resolved(_ condition: FetchCondition, _ entity: EntityDescription) throws -> ResolvedCondition? {
        try StoreRequest(entity.name, where: condition).resolved(in: model).condition
    }

    // MARK: Delete rules

    /// Adds the deletion of an entity's rows, and of the rows that its cascades delete.
    ///
    /// - Returns: `true` if set-based statements can delete the rows; `false` if rows must be processed one by one.
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
                // Referencing rows are changed first, which must not change the selection.
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

    /// Returns the condition for the selected rows that reference any object by a relationship.
    private static func leading(
        _ relationship: RelationshipDescription, _ condition: FetchCondition?
    ) -> FetchCondition {
        let leads = FetchCondition.related(relationship.name, .constant(true))
        return condition.map { $0 && leads } ?? leads
    }

    // MARK: Counts

    /// Returns a Boolean value that indicates whether deleted rows have join rows to counted objects.
    ///
    /// A counted object requires a minimum count of objects.
    private func isCountedByPairs(
        _ relationship: RelationshipDescription, _ entity: EntityDescription, _ condition: FetchCondition?
    ) throws -> Bool {
        guard let inverse = relationship.inverse,
            CountedOwners(model).key(inverse, of: relationship.destination) != nil,
            case .join = try model.relationship(relationship.name, of: entity).place
        else { return false }
        return try isAny(of: entity, Self.leading(relationship, condition))
    }

    /// Returns the owners that lose an object by the references of deleted rows and require a minimum count.
    private func ownersLosingObjects() throws -> CountedOwners {
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
