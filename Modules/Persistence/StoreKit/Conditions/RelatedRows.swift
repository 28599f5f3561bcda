package import StrataCore

/// A source of the rows and join rows that conditions across relationships need for evaluation in memory.
///
/// It reads the rows of a store, or those of a context with its pending changes. Rows are read when an evaluator is
/// created, and not again while the evaluator is used.
package protocol RelatedRows {
    /// Returns the rows of an entity that satisfy a condition, in unspecified order; all rows if the condition is
    /// `nil`.
    ///
    /// The condition must not traverse a relationship, and its evaluation must not be able to fail.
    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])]

    /// Returns every join row of a join table in stored form, in unspecified order.
    ///
    /// Each join row of a symmetric relationship is returned once.
    func joins(of join: JoinDescription) throws -> [JoinRow]
}

/// The counts of related objects that satisfy a condition, by the owner of the relationship.
struct RelatedCounts: Sendable {
    /// The column index of the owner's value by which counts are found: -1 for its identifier, or its reference column.
    private let key: Int
    private var counts: [Int64: Int] = [:]
    /// The errors of evaluating the condition for related objects, by owner; an error is thrown if its owner is
    /// evaluated.
    private var failures: [Int64: any Error] = [:]

    /// Creates the counts by evaluating the condition once for each related row.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - condition: The condition on the rows of the relationship's destination.
    ///   - evaluation: The evaluation, which has access to the related rows and join rows.
    /// - Throws: The errors of reading the related rows.
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

    /// Returns a closure that returns the keys of the owners to which a related row belongs.
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

    /// Returns the count of the owner's related objects that satisfy the condition.
    ///
    /// - Throws: The error of evaluating the condition for one of the related objects.
    func count(_ values: ConditionEvaluator.Values) throws -> Int {
        guard case .integer(let owner) = values(key) else { return 0 }
        if let failure = failures[owner] { throw failure }
        return counts[owner] ?? 0
    }
}

/// The operand's values for the objects of a to-one relationship, by the owner of the relationship.
struct RelatedValues: Sendable {
    /// The column index of the owner's value by which results are found: -1 for its identifier, or its reference
    /// column.
    private let key: Int
    private var found: [Int64: Result<StoredValue, any Error>] = [:]

    /// Creates the values by evaluating the operand once for each related row.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - operand: The operand on the rows of the relationship's destination.
    ///   - kind: The kind to which the values are converted.
    ///   - evaluation: The evaluation, which has access to the related rows and join rows.
    /// - Throws: The errors of reading the related rows.
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

    /// Returns the operand's value for the owner's related object; null if there is no related object.
    ///
    /// - Throws: The error of evaluating the operand for the related object.
    func value(_ values: ConditionEvaluator.Values) throws -> StoredValue {
        guard case .integer(let owner) = values(key) else { return .null }
        return try found[owner]?.get() ?? .null
    }
}

/// The aggregates over related objects that satisfy a condition, by the owner of the relationship.
struct RelatedAggregates: Sendable {
    /// The column index of the owner's value by which results are found: -1 for its identifier, or its reference
    /// column.
    private let key: Int
    private var found: [Int64: Result<StoredValue, any Error>] = [:]
    /// The aggregate of no objects.
    private let empty: StoredValue

    /// Creates the aggregates by evaluating the condition and the operands once for each related row.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - aggregate: The aggregate over rows of the relationship's destination.
    ///   - condition: The condition on these rows.
    ///   - evaluation: The evaluation, which has access to the related rows and join rows.
    /// - Throws: The errors of reading the related rows.
    init(
        _ relationship: ResolvedRelationship, _ aggregate: ResolvedAggregate, _ condition: ResolvedCondition,
        _ evaluation: ConditionEvaluation
    ) throws {
        let relatives = try evaluation.relatives(of: relationship)
        let (selected, evaluated) = condition.split
        let test = try evaluated.map { try evaluation.test($0) }
        let terms = try aggregate.operands.map { try evaluation.column($0) }
        let place = relationship.storage
        let owners = try RelatedCounts.owners(by: place, relatives)
        if case .ownColumn(let index) = place { key = index } else { key = -1 }
        var values: [Int64: AggregateValue] = [:]
        var failures: [Int64: any Error] = [:]
        for row in try relatives.rows(of: relationship.destination, where: selected) {
            let owners = owners(row.id, row.values)
            if owners.isEmpty { continue }
            do {
                let read: ConditionEvaluator.Values = { $0 < 0 ? .integer(row.id) : row.values[$0] }
                guard try test?(read) ?? true else { continue }
                let operands = try terms.map { try $0(read) }
                for owner in owners {
                    try values[owner, default: AggregateValue(aggregate)].add(operands[...])
                }
            } catch {
                for owner in owners { failures[owner] = error }
            }
        }
        empty = try AggregateValue(aggregate).result()
        found = values.mapValues { value in Result { try value.result() } }
        for (owner, failure) in failures { found[owner] = .failure(failure) }
    }

    /// Returns the aggregate over the owner's related objects.
    ///
    /// - Throws: The error of evaluating one of the related objects, or of a sum that does not fit in 64 bits.
    func value(_ values: ConditionEvaluator.Values) throws -> StoredValue {
        guard case .integer(let owner) = values(key) else { return empty }
        return try found[owner]?.get() ?? empty
    }
}

extension ConditionEvaluation {
    fileprivate func relatives(of relationship: ResolvedRelationship) throws -> any RelatedRows {
        guard let relatives else {
            throw PersistenceError(
                .invalidRequest,
                "a condition across a relationship cannot be evaluated for a row without its related rows",
                entity: relationship.source.name, attribute: relationship.description.name)
        }
        return relatives
    }
}

extension ResolvedCondition {
    /// The leading part of the condition that ``RelatedRows`` evaluates while it selects rows, and the remaining part.
    fileprivate var split: (selected: ResolvedCondition?, evaluated: ResolvedCondition?) {
        let parts = conjuncts
        let first = parts.prefix { !$0.traversesRelationships && !$0.mayFail }
        let rest = parts.dropFirst(first.count)
        let selected: ResolvedCondition? = first.isEmpty ? nil : rest.isEmpty ? self : .all(Array(first))
        return (selected, rest.isEmpty ? nil : .all(Array(rest)))
    }
}
