public import StrataCore

extension StoreSelection {
    /// Returns the selection in the form that stores receive, after its names, kinds, nesting and windows are
    /// validated.
    ///
    /// No row is read.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: The resolved selection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the cause.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedSelection {
        let entity = try model.entity(named: rows.entity)
        return try resolved(ConditionResolver(entity: entity, model: model))
    }

    /// Returns the selection in the form that stores receive; it must not follow a relationship.
    package func resolved(of entity: EntityDescription) throws -> ResolvedSelection {
        try resolved(ConditionResolver(entity: entity))
    }

    /// The request for the rows whose values are evaluated; a distinct selection applies order and window to results.
    package var evaluatedRows: StoreRequest {
        isDistinct ? StoreRequest(rows.entity, where: rows.condition) : rows
    }

    private func resolved(_ resolver: ConditionResolver) throws -> ResolvedSelection {
        let entity = resolver.entity
        guard !columns.isEmpty else {
            throw PersistenceError(.invalidRequest, "a selection requires at least one value", entity: entity.name)
        }
        guard let grouping = try effectiveGrouping(in: entity) else {
            return ResolvedSelection(
                rows: try rows.resolved(of: entity, resolver), columns: try columns.map { try resolver.column($0) },
                grouping: nil, results: nil)
        }
        let rows = try evaluatedRows.resolved(of: entity, resolver)
        return try SelectionResolver(rows, resolver, grouping).resolved(columns)
    }

    /// Returns the grouping that the selection has, or that results from aggregates or ``isDistinct``.
    private func effectiveGrouping(in entity: EntityDescription) throws -> Grouping? {
        if let grouping = grouping ?? (columns.contains(where: \.hasAggregate) ? Grouping() : nil) {
            guard !isDistinct else {
                throw PersistenceError(
                    .invalidRequest, "a distinct selection cannot have groups; group by the selected values instead",
                    entity: entity.name)
            }
            return grouping
        }
        guard isDistinct else { return nil }
        for key in rows.sort where !columns.contains(try key.operand(of: entity)) {
            throw PersistenceError(
                .invalidRequest, "a distinct selection can be sorted only by values that it selects",
                entity: entity.name)
        }
        return Grouping(by: columns, order: rows.sort, limit: rows.limit, offset: rows.offset)
    }
}

/// The resolution of a selection with groups.
///
/// The condition, order and results of groups are resolved as those of rows of an entity with one column for each key
/// and each aggregate. A key and an aggregate are replaced by their columns.
private struct SelectionResolver {
    private let rows: ResolvedRequest
    private let resolver: ConditionResolver
    private let grouping: StoreSelection.Grouping
    private var aggregates: [FetchAggregate] = []

    init(_ rows: ResolvedRequest, _ resolver: ConditionResolver, _ grouping: StoreSelection.Grouping) {
        (self.rows, self.resolver, self.grouping) = (rows, resolver, grouping)
    }

    func resolved(_ columns: [FetchOperand]) throws -> ResolvedSelection {
        var resolution = self
        return try resolution.resolve(columns)
    }

    private mutating func resolve(_ columns: [FetchOperand]) throws -> ResolvedSelection {
        let keys = try grouping.keys.map { try resolver.column($0) }
        let results = try columns.map { try replaced($0) }
        let having = try grouping.having.map { try replaced($0) }
        var order = try grouping.order.map { key in
            StoreRequest.Sort(
                key: .value(try replaced(try key.operand(of: rows.entity))), descending: key.isDescending)
        }
        order += keys.indices.map { StoreRequest.Sort(Self.key($0)) }
        let resolved = try aggregates.map { try resolver.resolve($0) }
        let open = ConditionNesting.aroundGroupedRows
        if let condition = rows.condition { try ConditionNesting.check(condition, of: rows.entity, open: open) }
        for operand in keys + resolved.flatMap(\.operands) + rows.sort.map(\.operand) {
            try ConditionNesting.check(operand, of: rows.entity, open: open)
        }
        let groups = EntityDescription(
            rows.entity.name, try properties(keys, resolved).map(EntityDescription.Property.attribute))
        let request = StoreRequest(
            groups.name, where: having, sort: order, limit: grouping.limit, offset: grouping.offset)
        let operands = ConditionResolver(entity: groups)
        var ordered = try request.resolved(of: groups, operands)
        // Texts of a format may mean the same; the order by bytes then decides.
        for (index, key) in keys.enumerated() where TextOrder.format(of: key, in: rows.entity) != nil {
            ordered.sort.append(
                ResolvedRequest.Sort(operand: ResolvedOperand(.column(index), type: key.type), isDescending: false))
        }
        return ResolvedSelection(
            rows: rows, columns: keys + resolved.flatMap(\.operands),
            grouping: ResolvedGrouping(
                keyCount: keys.count, aggregates: resolved, groups: ordered),
            results: try results.map { try operands.column($0) })
    }

    private static func key(_ index: Int) -> String { "k\(index)" }
    private static func aggregate(_ index: Int) -> String { "a\(index)" }

    /// Returns an attribute for each key and each aggregate, in the order of the values that stores return.
    private func properties(
        _ keys: [ResolvedOperand], _ aggregates: [ResolvedAggregate]
    ) throws -> [AttributeDescription] {
        let formats = keys.map { TextOrder.format(of: $0, in: rows.entity) } + aggregates.map(\.format)
        let names = keys.indices.map(Self.key) + aggregates.indices.map(Self.aggregate)
        let types = keys.map(\.type) + aggregates.map(\.type)
        return zip(zip(names, types), formats).compactMap { column, format in
            // `column(_:)` and the aggregates reject null, which is the only kind without a type.
            column.1.kind.type.map {
                AttributeDescription(column.0, $0, isOptional: column.1.isNullable, domain: format?.domain)
            }
        }
    }

    // MARK: Replacing

    private mutating func replaced(_ operand: FetchOperand) throws -> FetchOperand {
        if let index = grouping.keys.firstIndex(of: operand) { return .property(Self.key(index)) }
        switch operand {
        case .constant: return operand
        case .aggregate(let aggregate):
            let index = aggregates.firstIndex(of: aggregate) ?? aggregates.count
            if index == aggregates.count { aggregates.append(aggregate) }
            return .property(Self.aggregate(index))
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(try replaced(left), operation, try replaced(right))
        case .negated(let operand): return .negated(try replaced(operand))
        case .function(let function, let operand): return .function(function, try replaced(operand))
        case .coalesce(let left, let right): return .coalesce(try replaced(left), try replaced(right))
        case .conditional(let condition, let left, let right):
            return .conditional(try replaced(condition), try replaced(left), try replaced(right))
        case .truth(let condition): return .truth(try replaced(condition))
        case .property(let name): throw ungrouped(name)
        case .related(let name, _), .relatedCount(let name, _), .relatedAggregate(let name, _, _):
            throw ungrouped(name)
        }
    }

    private mutating func replaced(_ condition: FetchCondition) throws -> FetchCondition {
        switch condition {
        case .constant: return condition
        case .compare(let left, let comparison, let right):
            return .compare(try replaced(left), comparison, try replaced(right))
        case .isTrue(let operand): return .isTrue(try replaced(operand))
        case .contains(let text, let part, let ignoringCase):
            return .contains(try replaced(text), try replaced(part), ignoringCase: ignoringCase)
        case .startsWith(let text, let part, let ignoringCase):
            return .startsWith(try replaced(text), try replaced(part), ignoringCase: ignoringCase)
        case .endsWith(let text, let part, let ignoringCase):
            return .endsWith(try replaced(text), try replaced(part), ignoringCase: ignoringCase)
        case .like(let text, let pattern, let ignoringCase):
            return .like(try replaced(text), pattern, ignoringCase: ignoringCase)
        case .isIn(let operand, let values): return .isIn(try replaced(operand), values)
        case .all(let conditions): return .all(try conditions.map { try replaced($0) })
        case .any(let conditions): return .any(try conditions.map { try replaced($0) })
        case .not(let condition): return .not(try replaced(condition))
        case .related(let name, _): throw ungrouped(name)
        }
    }

    private func ungrouped(_ name: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "the value is neither a key of the groups nor inside an aggregate",
            entity: rows.entity.name, attribute: name)
    }
}

extension ConditionResolver {
    /// Resolves an operand whose value is part of a result.
    fileprivate func column(_ operand: FetchOperand) throws -> ResolvedOperand {
        let resolved = try resolve(operand)
        guard resolved.type.kind != .null else {
            throw PersistenceError(
                .invalidRequest, "null has no type, and cannot be selected", entity: entity.name)
        }
        try ConditionNesting.check(resolved, of: entity)
        return resolved
    }
}

extension FetchOperand {
    /// A Boolean value that indicates whether the operand contains an aggregate over the rows of a group.
    package var hasAggregate: Bool {
        switch self {
        case .aggregate: true
        case .property, .constant, .related, .relatedCount, .relatedAggregate: false
        case .arithmetic(let left, _, let right), .coalesce(let left, let right):
            left.hasAggregate || right.hasAggregate
        case .conditional(let condition, let left, let right):
            condition.hasAggregate || left.hasAggregate || right.hasAggregate
        case .truth(let condition): condition.hasAggregate
        case .negated(let operand), .function(_, let operand): operand.hasAggregate
        }
    }
}

extension FetchCondition {
    /// A Boolean value that indicates whether the condition contains an aggregate over the rows of a group.
    fileprivate var hasAggregate: Bool {
        switch self {
        case .constant, .related: false
        case .compare(let left, _, let right), .contains(let left, let right, _), .startsWith(let left, let right, _),
            .endsWith(let left, let right, _):
            left.hasAggregate || right.hasAggregate
        case .isTrue(let operand), .isIn(let operand, _), .like(let operand, _, _): operand.hasAggregate
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.hasAggregate)
        case .not(let condition): condition.hasAggregate
        }
    }
}
