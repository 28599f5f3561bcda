public import StrataCore

/// The groups of a selection, formed in memory from the values of each row.
public struct InMemoryGroups {
    private let grouping: ResolvedGrouping
    private var groups: [[StoredValue]: [AggregateValue]] = [:]

    /// Creates the groups of no rows.
    ///
    /// - Parameter grouping: The keys, aggregates, condition and order of the groups.
    public init(_ grouping: ResolvedGrouping) {
        self.grouping = grouping
        // Rows without keys are one group, also if there are none.
        if grouping.keyCount == 0 { groups[[]] = emptyValues }
    }

    private var emptyValues: [AggregateValue] { grouping.aggregates.map(AggregateValue.init) }

    /// Adds a row to its group.
    ///
    /// - Parameter values: The values of ``ResolvedSelection/columns`` for the row.
    /// - Throws: ``PersistenceError`` if a value does not have the kind of its operand.
    public mutating func add(_ values: [StoredValue]) throws {
        // Only the local variable owns the aggregates, so that they are not copied.
        let keys = Array(values[..<grouping.keyCount])
        var aggregates = groups.updateValue([], forKey: keys) ?? emptyValues
        var place = grouping.keyCount
        for index in aggregates.indices {
            let end = place + grouping.aggregates[index].operands.count
            try aggregates[index].add(values[place..<end])
            place = end
        }
        groups[keys] = aggregates
    }

    /// Returns the keys and aggregates of each selected group, in the order of the grouping.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if a result does not fit in 64
    ///   bits, or if the condition fails for a group.
    public func results() throws -> [[StoredValue]] {
        let request = grouping.groups
        let evaluator = try request.condition.map { try ConditionEvaluator($0, relatives: nil) }
        var results: [StoredRow] = []
        for (keys, aggregates) in groups {
            let values = keys + (try aggregates.map { try $0.result() })
            if try evaluator?.matches(id: 0, values: values) ?? true {
                results.append(StoredRow(id: 0, values: values))
            }
        }
        let order = try RowOrder(request.sort, of: request.entity, relatives: nil)
        return request.window(try order.sorted(results) { ($0.id, $0.values) }).map(\.values)
    }
}
