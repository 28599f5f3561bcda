import Foundation
public import StrataCore
import StrataStoreKit

/// A reader of values, groups, pages and trees of records: a confined context or a unit of work.
///
/// ``ConfinedContext`` and ``RecordTransaction`` have the same methods. ``RecordContext`` has them too, as `async`
/// methods that read saved records.
///
/// ## Topics
///
/// ### Values and aggregates
///
/// - ``select(_:distinct:_:)``
/// - ``select(_:distinct:values:)``
/// - ``select(_:of:)``
/// - ``aggregate(_:_:)``
/// - ``aggregate(_:by:select:having:order:limit:offset:)``
/// - ``fetchVersions(_:)``
///
/// ### Pages and trees
///
/// - ``page(_:size:after:)``
/// - ``descendants(_:of:through:maximumDepth:order:)``
/// - ``ancestors(_:of:through:maximumDepth:order:)``
/// - ``tree(of:through:in:isUpward:maximumDepth:order:)``
///
/// ### Implementing a reader
///
/// - ``recordModel``
/// - ``records(_:)``
/// - ``values(_:of:)``
/// - ``versions(_:)``
/// - ``edges(from:through:of:isUpward:)``
public protocol RecordSelecting {
    /// The model of the records; `nil` if it is unknown.
    ///
    /// Pages that are sorted across relationships need it.
    var recordModel: ManagedObjectModel? { get }

    /// Returns the records that a request selects, including unsaved changes.
    ///
    /// - Throws: ``PersistenceError``, as a fetch does.
    func records<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record]

    /// Returns the values of each result of a selection from the records of an entity.
    ///
    /// The typed methods, such as ``aggregate(_:_:)`` and ``select(_:distinct:_:)``, use it.
    ///
    /// - Parameters:
    ///   - selection: The selection, whose entity is `entity`.
    ///   - entity: The entity of the records.
    /// - Returns: The values of each result, including unsaved changes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]]

    /// Returns the identifiers and versions of the records that a request selects; ``fetchVersions(_:)`` uses it.
    ///
    /// - Throws: The errors of ``RecordTransaction/versioned(_:)``.
    func versions<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [RecordVersion<Record>]

    /// Returns the references from objects to their parents that are found from some objects along a relationship of an
    /// entity to itself.
    ///
    /// The methods ``descendants(_:of:through:maximumDepth:order:)`` and
    /// ``ancestors(_:of:through:maximumDepth:order:)`` use it.
    ///
    /// - Parameters:
    ///   - ids: The identifiers of the objects at which the search begins.
    ///   - relationship: The relationship from a parent to its children.
    ///   - entity: The entity.
    ///   - isUpward: A Boolean value that indicates whether the search continues with the parents.
    /// - Returns: The references, in unspecified order, including unsaved changes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship leads to
    ///   another entity.
    func edges<Record: ManagedRecord>(
        from ids: [Record.ID], through relationship: ToMany<Record, Record>, of entity: RecordEntity<Record>,
        isUpward: Bool
    ) throws -> [TreeEdge]
}

extension RecordSelecting {
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

    /// Returns a page of the records that a request selects, in the order of the request.
    ///
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
    ) throws -> Page<Record> {
        let resolver = ConditionResolver(entity: request.entity.description, model: recordModel)
        return try PageRequest(request, size: size, after: token, resolver).page(
            values: { try values($0, of: request.entity) }, fetch: { try self.records($0) })
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
    ) throws -> [TreeRow<Record>] {
        try tree(
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
    ) throws -> [TreeRow<Record>] {
        try tree(
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
    ) throws -> [TreeRow<Record>] {
        let edges = try edges(from: ids, through: relationship, of: entity, isUpward: isUpward)
        let walk = try TreeWalk(
            ids.map(\.rawValue), edges, isUpward: isUpward, order: order, limit: maximumDepth, entity: entity.name)
        let found = FetchCondition.isIn(.property("id"), walk.steps.map { .integer($0.id) })
        let records = try self.records(FetchRequest(entity, .condition(found)))
        return walk.rows(records)
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
    ) throws -> [SelectedRow] {
        try values(selection.selection, of: entity).map { SelectedRow(names: selection.names, values: $0) }
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
    ) throws -> [RecordVersion<Record>] {
        try versions(request)
    }
}
