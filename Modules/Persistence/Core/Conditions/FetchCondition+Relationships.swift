/// A relationship that a condition traverses, identified by its source entity and its name.
package struct TraversedRelationship: Sendable, Hashable {
    package let entity: String
    package let name: String
}

extension FetchCondition {
    /// A Boolean value that indicates whether the condition refers to related objects.
    ///
    /// If it is `true`, the condition cannot be evaluated with a row alone.
    public var traversesRelationships: Bool {
        var traverses = false
        visitRelated { _, _ in traverses = true }
        return traverses
    }

    /// Returns a condition that traverses the same relationships as an operand.
    ///
    /// The condition only lists relationships; it is never evaluated.
    static func traversing(_ operand: FetchOperand) -> FetchCondition { .isTrue(operand) }

    /// Returns all relationships that the condition on an entity traverses, at any depth.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a relationship does not
    ///   exist.
    package func relationships(of entity: EntityDescription, in model: ManagedObjectModel) throws -> Set<
        TraversedRelationship
    > {
        var waiting: [(entity: EntityDescription, condition: FetchCondition)] = [(entity, self)]
        var found: Set<TraversedRelationship> = []
        while let (entity, condition) = waiting.popLast() {
            var related: [(String, FetchCondition)] = []
            condition.visitRelated { related.append(($0, $1)) }
            for (name, inner) in related {
                found.insert(TraversedRelationship(entity: entity.name, name: name))
                waiting.append((try model.relationship(name, of: entity).destination, inner))
            }
        }
        return found
    }

    /// Calls a closure for each relationship that the condition's entity itself has.
    ///
    /// The closure receives the relationship's name and the condition on the related objects.
    fileprivate func visitRelated(_ body: (String, FetchCondition) -> Void) {
        switch self {
        case .constant: break
        case .compare(let left, _, let right), .contains(let left, let right, _), .startsWith(let left, let right, _),
            .endsWith(let left, let right, _):
            left.visitRelated(body)
            right.visitRelated(body)
        case .isTrue(let operand), .isIn(let operand, _), .like(let operand, _, _): operand.visitRelated(body)
        case .all(let conditions), .any(let conditions): for condition in conditions { condition.visitRelated(body) }
        case .not(let condition): condition.visitRelated(body)
        case .related(let name, let condition): body(name, condition)
        }
    }
}

extension FetchOperand {
    fileprivate func visitRelated(_ body: (String, FetchCondition) -> Void) {
        switch self {
        case .property, .constant: break
        case .arithmetic(let left, _, let right), .coalesce(let left, let right):
            left.visitRelated(body)
            right.visitRelated(body)
        case .negated(let operand), .function(_, let operand): operand.visitRelated(body)
        case .conditional(let condition, let left, let right):
            condition.visitRelated(body)
            left.visitRelated(body)
            right.visitRelated(body)
        case .truth(let condition): condition.visitRelated(body)
        case .relatedCount(let name, let condition): body(name, condition)
        case .related(let name, let operand): body(name, .traversing(operand))
        case .relatedAggregate(let name, let aggregate, let condition):
            body(name, .all([condition] + aggregate.operands.map(FetchCondition.traversing)))
        case .aggregate(let aggregate): for operand in aggregate.operands { operand.visitRelated(body) }
        }
    }
}
