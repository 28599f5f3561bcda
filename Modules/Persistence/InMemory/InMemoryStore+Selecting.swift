import StrataCore
import StrataStoreKit

extension InMemoryStore.State {
    /// Returns the rows that a request selects, in its order.
    func select(_ request: ResolvedRequest) throws -> [StoredRow] {
        let table = try table(request.entity.name)
        var selected = table.rows
        if let condition = request.condition {
            let evaluator = try ConditionEvaluator(condition, relatives: self)
            selected = try candidates(for: condition, in: table).filter {
                try evaluator.matches(id: $0.id, values: $0.values)
            }
        }
        if !request.sort.isEmpty {
            let order = try RowOrder(request.sort, of: table.entity, relatives: self)
            selected = try order.sorted(selected) { ($0.id, $0.values) }
        }
        return request.window(selected)
    }

    /// Passes the join rows that a request selects to `body`, in its order.
    func select(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in joins[request.join.name]?.select(request) ?? [] {
            if case .stop = try body(row) { return }
        }
    }
}

extension InMemoryStore.State: RelatedRows {
    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])] {
        let table = try table(entity.name)
        guard let condition, !condition.isAlwaysTrue else { return table.rows.map { ($0.id, $0.values) } }
        let evaluator = try ConditionEvaluator(condition, relatives: nil)
        return try candidates(for: condition, in: table)
            .filter { try evaluator.matches(id: $0.id, values: $0.values) }.map { ($0.id, $0.values) }
    }

    /// Returns all join rows of a join table, in unspecified order.
    func joins(of join: JoinDescription) throws -> [JoinRow] { joins[join.name]?.rows ?? [] }
}

// MARK: - Selection by indexes

extension InMemoryStore.State {
    /// Returns candidates for the rows that a condition selects, by identifier: those that an index finds, or all rows.
    private func candidates(for condition: ResolvedCondition, in table: InMemoryTable) -> [StoredRow] {
        // If half of the rows are looked up one by one, a scan of all rows is as fast.
        let ids = identifiers(selectedBy: condition, in: table, limit: table.rows.count / 2)
        let rows = ids.map { $0.compactMap(table.row) } ?? table.rows
        examined.add(rows.count)
        return rows
    }

    /// Returns the identifiers of all rows that a condition selects, ascending, perhaps with others.
    ///
    /// - Returns: The shortest list that an index returns, or `nil` if none returns one within the limit.
    private func identifiers(
        selectedBy condition: ResolvedCondition, in table: InMemoryTable, limit: Int
    ) -> [Int64]? {
        var shortest: [Int64]?
        _ = search(condition, in: table, limit: limit, &shortest)
        return shortest
    }

    /// Searches for a shorter list among conditions that must all be true.
    ///
    /// Conditions after one whose evaluation can fail are ignored, because that one must be evaluated for every row.
    ///
    /// - Returns: A Boolean value that indicates whether the search should continue with the next condition.
    private func search(
        _ condition: ResolvedCondition, in table: InMemoryTable, limit: Int, _ shortest: inout [Int64]?
    ) -> Bool {
        if case .all(let parts) = condition.form {
            let equal = Self.constants(ofColumnsIn: parts)
            let most = shortest.map { $0.count - 1 } ?? limit
            if equal.count > 1, most > 0, let ids = table.identifiers(whereAll: equal, limit: most) { shortest = ids }
            return parts.allSatisfy { search($0, in: table, limit: limit, &shortest) }
        }
        let limit = shortest.map { $0.count - 1 } ?? limit
        guard !condition.mayFail, limit > 0 else { return false }
        if let ids = identifiers(selectedByPart: condition, in: table, limit: limit) { shortest = ids }
        return true
    }

    /// Returns the values that columns have in all rows that satisfy some conditions.
    ///
    /// Only the conditions before the first one whose evaluation can fail are used.
    private static func constants(ofColumnsIn parts: [ResolvedCondition]) -> [Int: StoredValue] {
        var found: [Int: StoredValue] = [:]
        for part in parts {
            if part.mayFail { break }
            switch part.form {
            case .compare(let left, .equal, let right):
                let (operand, value) = right.constant.map { (left, $0) } ?? (right, left.constant ?? .null)
                if case .column(let column) = operand.form, right.constant ?? left.constant != nil {
                    found[column] = value
                }
            case .isTrue(let operand):
                if case .column(let column) = operand.form { found[column] = .boolean(true) }
            default: break
            }
        }
        return found
    }

    /// Returns the identifiers that an index returns for one condition, within a limit.
    private func identifiers(
        selectedByPart condition: ResolvedCondition, in table: InMemoryTable, limit: Int
    ) -> [Int64]? {
        switch condition.form {
        case .compare(let left, .equal, let right):
            if let value = right.constant { return identifiers(left, isOneOf: [value], in: table, limit) }
            if let value = left.constant { return identifiers(right, isOneOf: [value], in: table, limit) }
            return nil
        case .isIn(let operand, let values): return identifiers(operand, isOneOf: values, in: table, limit)
        case .isTrue(let operand): return identifiers(operand, isOneOf: [.boolean(true)], in: table, limit)
        case .related(let relationship, let condition):
            return identifiers(relatedBy: relationship, to: condition, in: table, limit)
        case .any(let parts): return identifiers(selectedByAny: parts, in: table, limit)
        default: return nil
        }
    }

    /// Returns the identifiers that indexes return for alternative conditions, if there is an index for each.
    private func identifiers(
        selectedByAny parts: [ResolvedCondition], in table: InMemoryTable, _ limit: Int
    ) -> [Int64]? {
        var found: Set<Int64> = []
        for part in parts {
            guard let ids = identifiers(selectedBy: part, in: table, limit: limit) else { return nil }
            found.formUnion(ids)
            if found.count > limit { return nil }
        }
        return found.sorted()
    }

    private func identifiers(
        _ operand: ResolvedOperand, isOneOf values: [StoredValue], in table: InMemoryTable, _ limit: Int
    ) -> [Int64]? {
        switch operand.form {
        case .identifier:
            // A double or a decimal can be equal to an identifier too.
            if values.count == 1 { return [values[0].indexKey] }
            let ids = Set(values.map(\.indexKey)).sorted()
            return ids.count <= limit ? ids : nil
        case .column(let column): return table.identifiers(where: column, isOneOf: values, limit: limit)
        default: return nil
        }
    }

    /// Returns the identifiers of rows that are related to rows that an index finds.
    private func identifiers(
        relatedBy relationship: ResolvedRelationship, to condition: ResolvedCondition, in table: InMemoryTable,
        _ limit: Int
    ) -> [Int64]? {
        guard let destination = tables[relationship.destination.name],
            let found = identifiers(
                selectedBy: condition, in: destination, limit: min(limit, destination.rows.count / 2))
        else { return nil }
        let owners: [Int64]
        switch relationship.storage {
        case .ownColumn(let column):
            return table.identifiers(where: column, isOneOf: found.map(StoredValue.integer), limit: limit)
        case .inverseColumn(let column):
            owners = found.compactMap { id in
                if case .integer(let owner)? = destination.row(id)?.values[column] { owner } else { nil }
            }
        case .join(let join, let isSource):
            owners = found.flatMap { joins[join.name]?.others(of: $0, isSource: !isSource) ?? [] }
        }
        let ids = Set(owners).sorted()
        return ids.count <= limit ? ids : nil
    }
}
