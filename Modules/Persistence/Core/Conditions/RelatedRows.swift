/// The rows and pairs that a condition across relationships is evaluated by in memory: a store's, or a context's with its pending changes.
///
/// Asked when an evaluator is made, not again while rows are evaluated.
package protocol RelatedRows {
    /// The rows of an entity that a condition selects, in any order; all without one.
    ///
    /// The condition traverses no relationship and cannot fail.
    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])]

    /// Every pair of a join table as it is kept, a symmetric one once, in any order.
    func joins(of join: JoinDescription) throws -> [JoinRow]
}

/// How many related objects fulfil a condition, for every owner at once.
struct RelatedCounts: Sendable {
    /// The place of the value by which an owner is looked up: its identifier, or its own reference.
    private let key: Int
    private var counts: [Int64: Int] = [:]
    /// Owners for one of whose objects the condition is an error: it is thrown when such an owner is evaluated, and not before.
    private var failures: [Int64: any Error] = [:]

    /// Evaluates the related rows, each once.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - condition: What is asked of the destination.
    ///   - evaluation: With the rows and pairs.
    /// - Throws: What reading the rows throws.
    init(
        _ relationship: ResolvedRelationship, _ condition: ResolvedCondition, _ evaluation: ConditionEvaluation
    ) throws {
        let relatives = try evaluation.relatives(of: relationship)
        let (selected, evaluated) = condition.split
        let test = try evaluated.map { try evaluation.test($0) }
        let place = relationship.storage
        let owners = try Self.owners(by: place, relatives)
        if case .ownColumn(let index) = place { key = index } else { key = -1 }
        for row in try relatives.rows(of: relationship.destination, where: selected) {
            do {
                guard try test?({ $0 < 0 ? .integer(row.id) : row.values[$0] }) ?? true else { continue }
                for owner in owners(row.id, row.values) { counts[owner, default: 0] += 1 }
            } catch {
                for owner in owners(row.id, row.values) { failures[owner] = error }
            }
        }
    }

    /// Gives the keys of the owners a row is related to.
    fileprivate static func owners(
        by place: RelationshipStorage, _ relatives: any RelatedRows
    ) throws -> (Int64, [StoredValue]) -> [Int64] {
        switch place {
        case .ownColumn: return { id, _ in [id] }
        case .inverseColumn(let index):
            return { _, values in if case .integer(let owner) = values[index] { [owner] } else { [] } }
        case .join(let join, let isSource):
            var owners: [Int64: [Int64]] = [:]
            for pair in try relatives.joins(of: join).map(\.pair) {
                let (owner, other) = isSource ? (pair.source, pair.target) : (pair.target, pair.source)
                owners[other, default: []].append(owner)
                if join.isSymmetric, owner != other { owners[owner, default: []].append(other) }
            }
            return { id, _ in owners[id] ?? [] }
        }
    }

    /// How many objects of an owner fulfil the condition.
    ///
    /// - Throws: What the condition threw for one of them.
    func count(_ values: ConditionEvaluator.Values) throws -> Int {
        guard case .integer(let owner) = values(key) else { return 0 }
        if let failure = failures[owner] { throw failure }
        return counts[owner] ?? 0
    }
}

/// The value of an operand for the object that a to-one relationship leads to, for every owner at once.
struct RelatedValues: Sendable {
    /// The place of the value by which an owner is looked up: its identifier, or its own reference.
    private let key: Int
    private var found: [Int64: Result<StoredValue, any Error>] = [:]

    /// Evaluates the operand for the related rows, each once.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - operand: What is asked of the destination.
    ///   - kind: The kind that the values are brought to.
    ///   - evaluation: With the rows and pairs.
    /// - Throws: What reading the rows throws.
    init(
        _ relationship: ResolvedRelationship, _ operand: ResolvedOperand, kind: OperandType.Kind,
        _ evaluation: ConditionEvaluation
    ) throws {
        let relatives = try evaluation.relatives(of: relationship)
        let term = try evaluation.term(operand, as: kind)
        let place = relationship.storage
        let owners = try RelatedCounts.owners(by: place, relatives)
        if case .ownColumn(let index) = place { key = index } else { key = -1 }
        for row in try relatives.rows(of: relationship.destination, where: nil) {
            let value = Result { try term { $0 < 0 ? .integer(row.id) : row.values[$0] } }
            for owner in owners(row.id, row.values) { found[owner] = value }
        }
    }

    /// The value for an owner; null where the relationship leads nowhere.
    ///
    /// - Throws: What the operand threw for the related object.
    func value(_ values: ConditionEvaluator.Values) throws -> StoredValue {
        guard case .integer(let owner) = values(key) else { return .null }
        return try found[owner]?.get() ?? .null
    }
}

extension ConditionEvaluation {
    fileprivate func relatives(of relationship: ResolvedRelationship) throws -> any RelatedRows {
        guard let relatives else {
            throw PersistenceError(
                .invalidRequest, "a condition across a relationship cannot be evaluated by a row alone",
                entity: relationship.source.name, attribute: relationship.description.name)
        }
        return relatives
    }
}

extension ResolvedCondition {
    /// The part that whoever has the rows can select them by, and the rest.
    fileprivate var split: (selected: ResolvedCondition?, evaluated: ResolvedCondition?) {
        let parts = conjuncts
        let first = parts.prefix { !$0.traversesRelationships && !$0.mayFail }
        let rest = parts.dropFirst(first.count)
        let selected: ResolvedCondition? = first.isEmpty ? nil : rest.isEmpty ? self : .all(Array(first))
        return (selected, rest.isEmpty ? nil : .all(Array(rest)))
    }
}
