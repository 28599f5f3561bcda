import StrataCore

/// The selection of values, groups and aggregates.
extension ConfinedContext {
    /// Returns the keys and aggregates of each group of the records that a request selects.
    ///
    /// The results include unsaved changes.
    ///
    /// - Parameters:
    ///   - request: The request for the records; only records inside its limit and offset belong to groups.
    ///   - keys: The keys, which are equal for all records of a group; `nil` is equal to `nil`.
    ///   - aggregates: The aggregates over the records of each group.
    ///   - having: The condition that groups must satisfy; `nil` selects every group.
    ///   - order: The order of groups, most important first; groups with equal values are sorted by their keys.
    ///   - limit: The maximum count of groups, at least 0; `nil` for no limit.
    ///   - offset: The count of groups to skip, at least 0.
    /// - Returns: The groups in their order; none if no record is selected.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    public func aggregate<Record: ManagedRecord, each Key: AttributeValue, each Value: AttributeValue>(
        _ request: FetchRequest<Record>, by keys: repeat RecordValue<Record, each Key>,
        select aggregates: repeat Aggregate<Record, each Value>, having: AggregateFilter<Record>? = nil,
        order: [AggregateOrder<Record>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateRow<(repeat each Key), (repeat each Value)>] {
        let selection = try RecordSelection(
            request, by: repeat each keys, select: repeat each aggregates, having: having, order: order, limit: limit,
            offset: offset)
        return try selection.results(try values(selection.selection, of: selection.entity))
    }

    /// Returns aggregates over the records that a request selects.
    ///
    /// - Parameters:
    ///   - request: The request for the records.
    ///   - aggregates: The aggregates, at least one.
    /// - Returns: The aggregate, or a tuple of all aggregates in their order.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    public func aggregate<Record: ManagedRecord, each Value: AttributeValue>(
        _ request: FetchRequest<Record>, _ aggregates: repeat Aggregate<Record, each Value>
    ) throws -> (repeat each Value) {
        let selection = try RecordSelection(request, repeat each aggregates)
        return try selection.only(try values(selection.selection, of: selection.entity))
    }

    /// Returns values of each record that a request selects, instead of whole records.
    ///
    /// - Parameters:
    ///   - request: The request for the records.
    ///   - distinct: A Boolean value that indicates whether equal results are returned once. The sort keys of the
    ///     request must then be among the columns, and its limit applies to the different results.
    ///   - columns: The values, at least one.
    /// - Returns: The value of each record, or a tuple of its values, in the order of the request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection.
    public func select<Record: ManagedRecord, each Value: AttributeValue>(
        _ request: FetchRequest<Record>, distinct: Bool = false, values columns: repeat RecordValue<Record, each Value>
    ) throws -> [(repeat each Value)] {
        let selection = try RecordSelection(request, distinct: distinct, repeat each columns)
        return try selection.results(try values(selection.selection, of: selection.entity))
    }

    /// Returns properties of each record that a request selects, instead of whole records.
    ///
    /// - Parameters:
    ///   - request: The request for the records.
    ///   - distinct: A Boolean value that indicates whether equal results are returned once.
    ///   - paths: The key paths of the properties, at least one.
    /// - Returns: The property of each record, or a tuple of its properties, in the order of the request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection.
    public func select<Record: ManagedRecord, each Value: AttributeValue>(
        _ request: FetchRequest<Record>, distinct: Bool = false,
        _ paths: repeat any KeyPath<Record, each Value> & Sendable
    ) throws -> [(repeat each Value)] {
        try select(request, distinct: distinct, values: repeat RecordValue.property(each paths))
    }
}
