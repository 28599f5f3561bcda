/// The rows and pairs that a condition across relationships is evaluated by in memory: a store's, or a context's with its pending changes.
///
/// Asked when an evaluator is made, not again while rows are evaluated.
package protocol RelatedRows {
    /// The rows of an entity that a condition selects, in any order.
    ///
    /// The condition traverses no relationship and cannot fail.
    func rows(of entity: EntityDescription, where condition: FetchCondition) throws -> [(
        id: Int64, values: [StoredValue]
    )]

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
    ///   - place: Where the relationship is kept.
    ///   - condition: What is asked of the destination.
    ///   - typing: The destination's.
    ///   - relatives: The rows and pairs.
    /// - Throws: What `relatives` throws.
    init(
        _ place: RelationshipStorage, condition: FetchCondition, typing: ConditionTyping, relatives: any RelatedRows
    ) throws {
        let (selected, evaluated) = typing.split(condition)
        let test = try evaluated.map { try typing.test($0) }
        let owners = try Self.owners(by: place, relatives)
        if case .ownColumn(let index) = place { key = index } else { key = -1 }
        for row in try relatives.rows(of: typing.entity, where: selected) {
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
    ///   - place: Where the relationship is kept.
    ///   - term: The operand, ready for evaluation.
    ///   - destination: What the relationship leads to.
    ///   - relatives: The rows and pairs.
    /// - Throws: What `relatives` throws.
    init(
        _ place: RelationshipStorage, term: ConditionEvaluator.Term, destination: EntityDescription,
        relatives: any RelatedRows
    ) throws {
        let owners = try RelatedCounts.owners(by: place, relatives)
        if case .ownColumn(let index) = place { key = index } else { key = -1 }
        for row in try relatives.rows(of: destination, where: .constant(true)) {
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

extension ConditionTyping {
    /// The part of a condition that whoever has the rows can select them by, and the rest.
    fileprivate func split(_ condition: FetchCondition) -> (selected: FetchCondition, evaluated: FetchCondition?) {
        let parts = condition.conjuncts
        let first = parts.prefix { !$0.traversesRelationships && !mayFail($0) }
        let rest = parts.dropFirst(first.count)
        let selected: FetchCondition = first.isEmpty ? .constant(true) : rest.isEmpty ? condition : .all(Array(first))
        return (selected, rest.isEmpty ? nil : .all(Array(rest)))
    }

    /// How many objects a relationship leads to that fulfil a condition, ready for evaluation.
    func relatedCounts(_ name: String, _ condition: FetchCondition) throws -> RelatedCounts {
        let destination = try destination(name)
        guard let model, let relatives else { throw needsRelatives(name) }
        let place = try model.relationship(name, of: entity).place
        return try RelatedCounts(place, condition: condition, typing: destination, relatives: relatives)
    }

    /// The typing of what a relationship leads to.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    package func destination(_ name: String) throws -> ConditionTyping {
        guard let model else { throw needsRelatives(name) }
        let (_, destination, _) = try model.relationship(name, of: entity)
        return ConditionTyping(entity: destination, model: model, relatives: relatives)
    }

    /// The typing of what a relationship leads to that leads to one object at most.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    func toOneDestination(_ name: String) throws -> ConditionTyping {
        let typing = try destination(name)
        guard entity.relationship(named: name)?.cardinality == .toOne else {
            throw PersistenceError(
                .invalidRequest,
                "the relationship leads to many objects, which have no one value; count them, or ask whether any fulfils a condition",
                entity: entity.name, attribute: name)
        }
        return typing
    }

    /// The values of an operand for what a to-one relationship leads to, ready for evaluation.
    func relatedValues(_ name: String, _ operand: FetchOperand, as kind: OperandType.Kind) throws -> RelatedValues {
        let destination = try toOneDestination(name)
        guard let model, let relatives else { throw needsRelatives(name) }
        let place = try model.relationship(name, of: entity).place
        return try RelatedValues(
            place, term: try destination.term(operand, as: kind), destination: destination.entity, relatives: relatives)
    }

    private func needsRelatives(_ name: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "a condition across a relationship cannot be evaluated by a row alone",
            entity: entity.name,
            attribute: name)
    }
}
