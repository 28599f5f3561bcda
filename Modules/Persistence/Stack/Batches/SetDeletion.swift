import StrataCore
import StrataStoreKit

/// A batch deletion that runs as a few set-based statements of the store.
///
/// For each entity, one condition selects the deleted rows, and one selects the rows that lose a reference. The
/// deletion is set-based only if it deletes rows of each entity with one statement and no rule can deny it. Otherwise
/// the batch runs row by row.
struct SetDeletion {
    private let reader: BatchReader
    /// The entities with deleted rows, each with the condition for these rows; an entity that references another one
    /// precedes it.
    private var deletions: [(entity: EntityDescription, condition: FetchCondition?)] = []
    /// The columns that are set to null in the rows that reference deleted rows and are not deleted.
    private var cleared: [(entity: EntityDescription, column: Int, condition: FetchCondition)] = []
    /// The names of the entities from which rows are deleted.
    private var reached: Set<String> = []
    /// A Boolean value that indicates whether the batch's condition depends on rows of related objects.
    ///
    /// The deletion may change those related rows before the condition is evaluated again.
    private let isDecidedByOthers: Bool
    private var model: ManagedObjectModel { reader.model }

    /// Creates a deletion by determining the effects of the delete rules, without writing anything.
    ///
    /// - Returns: The deletion, or `nil` if the rows must be processed one by one. The reason is that a rule denies the
    ///   deletion, a reference may not be null, cascades reach an entity in two ways, or the condition depends on
    ///   related rows.
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
    /// - Throws: ``FallbackToRows`` if a rule is broken; ``PersistenceError`` if a record's initializer rejects rows
    ///   that lose a reference, or if the store fails.
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

    /// Adds the deletion of the rows of an entity, and of all rows that cascades from them delete.
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

    /// Returns the condition for rows that an optional condition selects and whose relationship is not empty.
    private static func leading(
        _ relationship: RelationshipDescription, _ condition: FetchCondition?
    ) -> FetchCondition {
        let leads = FetchCondition.related(relationship.name, .constant(true))
        return condition.map { $0 && leads } ?? leads
    }

    // MARK: Counts

    /// Returns a Boolean value that indicates whether deleted rows have join rows to objects that require a minimum
    /// count.
    private func isCountedByPairs(
        _ relationship: RelationshipDescription, _ entity: EntityDescription, _ condition: FetchCondition?
    ) throws -> Bool {
        guard let inverse = relationship.inverse,
            CountedOwners(model).key(inverse, of: relationship.destination) != nil,
            case .join = try model.relationship(relationship.name, of: entity).place
        else { return false }
        return try isAny(of: entity, Self.leading(relationship, condition))
    }

    /// Returns the owners of relationships with a minimum count that lose an object because a row with a reference to
    /// them is deleted.
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
