public import StrataCore

/// A request for rows in the form that stores receive.
///
/// Its names are resolved, its operands have kinds, and everything that can be validated without a row is valid.
/// Callers of a store use a ``StoreRequest``; ``StoreReader`` resolves it.
///
/// A store executes it as it is, and need not check it: entities and columns exist in the store's model, kinds are
/// compatible, and the limits are not negative. The names in ``entity`` are those of ``StoreReader/model``. The sort
/// keys do not contain the identifier as the last key; the store must add it.
///
/// ## Topics
///
/// ### Selecting rows
///
/// - ``entity``
/// - ``condition``
/// - ``offset``
/// - ``limit``
/// - ``window(_:)``
///
/// ### Sorting rows
///
/// - ``sort``
/// - ``Sort``
/// - ``unsorted``
public struct ResolvedRequest: Sendable {
    /// One sort key of a request.
    public struct Sort: Sendable {
        /// The operand by whose value rows are sorted.
        public let operand: ResolvedOperand
        /// A Boolean value that indicates whether rows are sorted in descending order; null is then last.
        public let isDescending: Bool
    }

    /// The entity of the requested rows.
    public let entity: EntityDescription
    /// The condition that the rows must satisfy; `nil` selects every row.
    public let condition: ResolvedCondition?
    /// The sort keys, most important first; rows with equal keys are sorted by identifier, ascending.
    public internal(set) var sort: [Sort]
    /// The maximum count of rows that the request returns, at least 0; `nil` if there is no limit.
    public let limit: Int?
    /// The count of selected rows that are skipped at the beginning, at least 0.
    public let offset: Int

    /// A copy of the request without sort keys, for counting rows.
    public var unsorted: ResolvedRequest {
        ResolvedRequest(entity: entity, condition: condition, sort: [], limit: limit, offset: offset)
    }

    /// Returns a request for the row with an identifier, as ``StoreRequest/resolved(in:)`` would create it.
    static func row(_ id: Int64, of entity: EntityDescription) -> ResolvedRequest {
        let type = OperandType(kind: .integer, isNullable: false)
        let value = StoredValue.integer(id)
        let condition = ResolvedCondition(
            .compare(
                ResolvedOperand(.identifier, type: type), .equal, ResolvedOperand(.constant(value), type: type)),
            source: .compare(.property("id"), .equal, .constant(value)))
        return ResolvedRequest(entity: entity, condition: condition, sort: [], limit: nil, offset: 0)
    }

    /// Returns those of the ordered elements that the offset and limit of the request select.
    ///
    /// A store that has all selected rows in memory uses the method after it has sorted them.
    ///
    /// - Parameter elements: The selected rows in their order, or elements that represent them.
    /// - Returns: The elements from ``offset`` on, at most ``limit`` of them.
    /// - Complexity: O(1) without an offset and a limit, otherwise O(*n*) in the count of returned elements.
    public func window<Element>(_ elements: [Element]) -> [Element] {
        if limit == nil, offset == 0 { return elements }
        return Array(elements.dropFirst(offset).prefix(limit ?? Int.max))
    }
}

extension StoreRequest {
    /// Returns the request in the form that stores receive, after its names, kinds, nesting, limit and offset are
    /// validated.
    ///
    /// No row is read. The method is O(*n*) in the count of nodes of the condition.
    ///
    /// ``StoreReader/fetch(_:_:)-(StoreRequest,_)`` and the similar methods resolve a request themselves. Resolve it
    /// once if the same request is used often.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: The resolved request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the cause.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedRequest {
        let entity = try model.entity(named: entity)
        return try resolved(of: entity, ConditionResolver(entity: entity, model: model))
    }

    /// Returns the request in the form that stores receive, with the operands that a resolver returns.
    func resolved(of entity: EntityDescription, _ resolver: ConditionResolver) throws -> ResolvedRequest {
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

    /// Throws an error if the request's names, kinds, nesting, limit or offset are invalid for a model.
    ///
    /// - Returns: The entity of the request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the cause.
    @discardableResult
    public func validate(in model: ManagedObjectModel) throws -> EntityDescription {
        try resolved(in: model).entity
    }
}

extension ResolvedRequest {
    /// Creates a request for all rows that satisfy a condition.
    package init(all condition: ResolvedCondition?, of entity: EntityDescription) {
        self.init(entity: entity, condition: condition, sort: [], limit: nil, offset: 0)
    }
}
