import StrataCore

/// The selection of values, groups and aggregates of saved records.
extension RecordContext {
    /// Returns the values of each result of a selection from the records of an entity, in a separate unit of work.
    public func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) async throws -> [[StoredValue]] {
        try await transaction(mergePolicy: nil) { try $0.values(selection, of: entity) }
    }

    /// Returns the keys and aggregates of each group of the records that a request selects.
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
    ) async throws -> [AggregateRow<(repeat each Key), (repeat each Value)>] {
        let selection = try RecordSelection(
            request, by: repeat each keys, select: repeat each aggregates, having: having, order: order, limit: limit,
            offset: offset)
        return try selection.results(try await values(selection.selection, of: selection.entity))
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
    ) async throws -> (repeat each Value) {
        let selection = try RecordSelection(request, repeat each aggregates)
        return try selection.only(try await values(selection.selection, of: selection.entity))
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
    ) async throws -> [(repeat each Value)] {
        let selection = try RecordSelection(request, distinct: distinct, repeat each columns)
        return try selection.results(try await values(selection.selection, of: selection.entity))
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
    ) async throws -> [(repeat each Value)] {
        try await select(request, distinct: distinct, values: repeat RecordValue.property(each paths))
    }

    /// Returns a page of the records that a request selects, in the order of the request.
    ///
    /// ```swift
    /// var page = try await context.page(request, size: 50)
    /// while let next = page.next {
    ///     page = try await context.page(request, size: 50, after: next)
    /// }
    /// ```
    ///
    /// A page needs at most one statement for each sort key, two for each nullable key in descending order, and one for
    /// the records. An index of the sort keys serves them.
    ///
    /// - Parameters:
    ///   - request: The request for the list, without a limit and an offset. Records with equal sort keys are sorted by
    ///     identifier, ascending.
    ///   - size: The maximum count of records, at least 0.
    ///   - token: The token ``Page/next`` or ``Page/previous`` of another page; `nil` for the first page.
    /// - Returns: The page; with size 0, no records and the same token.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the token belongs to
    ///   another request, or if the request is invalid.
    public func page<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, size: Int, after token: PageToken? = nil
    ) async throws -> Page<Record> {
        try await transaction(mergePolicy: nil) { try $0.page(request, size: size, after: token) }
    }

    /// Returns all objects below some objects along a to-many relationship of an entity to itself.
    ///
    /// For a one-to-many relationship, a database finds all levels with one statement, and the records with another
    /// one. The given objects are not part of the result, and every other object is returned once, also if the
    /// relationship has a cycle.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The identifiers of the objects at which the search begins.
    ///   - relationship: The relationship from a parent to its children.
    ///   - maximumDepth: The maximum count of levels; more levels are an error.
    ///   - order: The order of the result (default: each object before its descendants).
    /// - Returns: The descendants, each with its depth and its parent.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there are more levels than
    ///   `maximumDepth`.
    public func descendants<Record: PersistentRecord>(
        _ type: Record.Type, of ids: [Record.ID], through relationship: KeyPath<Record.Type, ToMany<Record, Record>>,
        maximumDepth: Int = 1_000, order: TreeOrder = .depthFirst
    ) async throws -> [TreeRow<Record>] {
        try await tree(
            of: ids, through: type[keyPath: relationship], in: Record.entity, isUpward: false,
            maximumDepth: maximumDepth,
            order: order)
    }

    /// Returns all objects above some objects along a to-many relationship of an entity to itself.
    ///
    /// For a one-to-many relationship, a database finds all levels with one statement, and the records with another
    /// one. The given objects are not part of the result, and every other object is returned once, also if the
    /// relationship has a cycle.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - ids: The identifiers of the objects at which the search begins.
    ///   - relationship: The relationship from a parent to its children.
    ///   - maximumDepth: The maximum count of levels; more levels are an error.
    ///   - order: The order of the result (default: the parents first, then their parents).
    /// - Returns: The ancestors, each with its distance from the nearest given object, and the child from which it was
    ///   found.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there are more levels than
    ///   `maximumDepth`.
    public func ancestors<Record: PersistentRecord>(
        _ type: Record.Type, of ids: [Record.ID], through relationship: KeyPath<Record.Type, ToMany<Record, Record>>,
        maximumDepth: Int = 1_000, order: TreeOrder = .breadthFirst
    ) async throws -> [TreeRow<Record>] {
        try await tree(
            of: ids, through: type[keyPath: relationship], in: Record.entity, isUpward: true,
            maximumDepth: maximumDepth,
            order: order)
    }

    /// Returns all objects below or above some objects along a relationship of an entity to itself.
    ///
    /// This is the method for records without a Swift type; see
    /// ``descendants(_:of:through:maximumDepth:order:)`` and ``ancestors(_:of:through:maximumDepth:order:)``.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the objects at which the search begins.
    ///   - relationship: The relationship from a parent to its children.
    ///   - entity: The entity.
    ///   - isUpward: A Boolean value that indicates whether the ancestors are returned instead of the descendants.
    ///   - maximumDepth: The maximum count of levels; more levels are an error.
    ///   - order: The order of the result.
    /// - Returns: The objects, each with its depth and the object from which it was found.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there are more levels than
    ///   `maximumDepth`.
    public func tree<Record: ManagedRecord>(
        of ids: [Record.ID], through relationship: ToMany<Record, Record>, in entity: RecordEntity<Record>,
        isUpward: Bool, maximumDepth: Int = 1_000, order: TreeOrder = .depthFirst
    ) async throws -> [TreeRow<Record>] {
        try await transaction(mergePolicy: nil) { unit in
            try unit.tree(
                of: ids, through: relationship, in: entity, isUpward: isUpward, maximumDepth: maximumDepth, order: order
            )
        }
    }

    /// Returns the results of a selection with named columns.
    ///
    /// - Parameters:
    ///   - selection: The selection, which
    ///     ``PredicateText/selection(_:where:groupBy:having:sort:distinct:limit:offset:)`` parses from texts.
    ///   - entity: The entity of the records.
    /// - Returns: The results in the order of the selection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    public func select<Record: ManagedRecord>(
        _ selection: NamedSelection, of entity: RecordEntity<Record>
    ) async throws -> [SelectedRow] {
        try await values(selection.selection, of: entity).map { SelectedRow(names: selection.names, values: $0) }
    }

    /// Returns the identifiers and versions of the records that a request selects, without the records.
    ///
    /// Use it for entity tags of HTTP, and to find the records that changed. If there are unsaved changes of a record,
    /// its version is that of its row before the changes.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The identifiers and versions in the order of the request.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request is invalid.
    public func fetchVersions<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) async throws -> [RecordVersion<Record>] {
        try await transaction(mergePolicy: nil) { try $0.versions(request) }
    }
}
