/// A request in the form that stores receive.
///
/// Names are looked up, kinds are known, and everything that can be checked without a row is checked. The caller of a
/// store creates a ``StoreRequest``; ``StoreReader`` resolves it.
public struct ResolvedRequest: Sendable {
    /// One sort key.
    public struct Sort: Sendable {
        /// The sort value: the identifier, a column, or the target of a path across to-one relationships.
        public let operand: ResolvedOperand
        /// A Boolean value that indicates whether the greatest value comes first; null is then last.
        public let isDescending: Bool
    }

    /// The entity.
    public let entity: EntityDescription
    /// The condition that the rows must satisfy; `nil` selects every row.
    public let condition: ResolvedCondition?
    /// The sort keys, most important first; rows with equal keys are sorted by identifier, ascending.
    public let sort: [Sort]
    /// The maximum count of rows, at least 0; `nil` is no limit.
    public let limit: Int?
    /// The count of rows to skip at the beginning, at least 0.
    public let offset: Int

    /// The request without an order, for counting.
    public var unsorted: ResolvedRequest {
        ResolvedRequest(entity: entity, condition: condition, sort: [], limit: limit, offset: offset)
    }

    /// Returns a request for one row, as ``StoreRequest/resolved(in:)`` creates it for a condition on the identifier.
    static func row(_ id: Int64, of entity: EntityDescription) -> ResolvedRequest {
        let type = OperandType(kind: .integer, isNullable: false)
        let value = StoredValue.integer(id)
        let condition = ResolvedCondition(
            .compare(
                ResolvedOperand(.identifier, type: type), .equal, ResolvedOperand(.constant(value), type: type)),
            source: .compare(.property("id"), .equal, .constant(value)))
        return ResolvedRequest(entity: entity, condition: condition, sort: [], limit: nil, offset: 0)
    }

    /// Returns the part of the ordered rows that offset and limit select.
    public func window<Element>(_ elements: [Element]) -> [Element] {
        if limit == nil, offset == 0 { return elements }
        return Array(elements.dropFirst(offset).prefix(limit ?? Int.max))
    }
}

extension StoreRequest {
    /// Looks up names, determines kinds, and checks nesting, limit and offset.
    ///
    /// O(nodes of the condition); no row is read.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: The request in the form that stores receive.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the fault.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedRequest {
        let entity = try model.entity(named: entity)
        let resolver = ConditionResolver(entity: entity, model: model)
        let condition = try condition.map { try resolver.resolve($0) }
        if let condition { try ConditionNesting.check(condition, of: entity) }
        let sort = try sort.map { key in
            let operand = try TextOrder.inOrder(try resolver.resolve(try key.operand(of: entity)), in: entity)
            try ConditionNesting.check(operand, of: entity)
            return ResolvedRequest.Sort(operand: operand, isDescending: key.isDescending)
        }
        if let limit, limit < 0 {
            throw PersistenceError(
                .invalidRequest, "the limit is \(limit), but must be at least 0", entity: entity.name)
        }
        if offset < 0 {
            throw PersistenceError(
                .invalidRequest, "the offset is \(offset), but must be at least 0", entity: entity.name)
        }
        return ResolvedRequest(entity: entity, condition: condition, sort: sort, limit: limit, offset: offset)
    }
}
