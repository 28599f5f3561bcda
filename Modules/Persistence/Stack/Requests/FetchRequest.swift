public import Foundation
import StrataCore

/// Is told of a row that cannot be read; what it throws ends the reading.
typealias UnreadableRowReport = @Sendable (PersistenceError) throws -> Void

/// What is fetched of one record type: which, in which order, how many.
///
/// ```swift
/// let request = FetchRequest<Employee>(
///     where: #Predicate { $0.salary >= 50_000 }, sort: [SortKey(\.dateHired, order: .reverse)], limit: 10)
/// ```
///
/// In a context pending changes are always part of the answer, and the window is cut after them. Without a sort key, and where the keys leave rows equal, rows come by identifier.
public struct FetchRequest<Record: ManagedRecord>: Sendable {
    /// Whose records.
    public let entity: RecordEntity<Record>
    /// Which records; `nil` is all of them.
    public var filter: RecordFilter<Record>?
    /// The order, most important key first.
    public var sort: [SortKey<Record>]
    /// The most records to give, at least 0; `nil` is no limit.
    public var limit: Int?
    /// How many of the first records to leave out, at least 0.
    public var offset: Int
    /// Relationships whose objects are read along, one statement each; for fetches of objects.
    public var prefetching: [Prefetch<Record>]

    /// Who is told of rows that cannot be read; `nil` where the fetch throws the first.
    var onUnreadableRow: UnreadableRowReport?

    /// A request of what a filter selects of an entity's records.
    ///
    /// - Parameters:
    ///   - entity: Whose records; where they have a type of their own, the calls without an entity say the same.
    ///   - filter: Which records; `nil` is all of them.
    ///   - sort: The order, most important key first.
    ///   - limit: The most records to give, at least 0; `nil` is no limit.
    ///   - offset: How many of the first records to leave out, at least 0.
    ///   - prefetching: Relationships whose objects are read along, for fetches of objects.
    public init(
        _ entity: RecordEntity<Record>, _ filter: RecordFilter<Record>? = nil, sort: [SortKey<Record>] = [],
        limit: Int? = nil, offset: Int = 0, prefetching: [Prefetch<Record>] = []
    ) {
        self.entity = entity
        self.prefetching = prefetching
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }

    /// A request of one record of an entity by its identifier.
    public init(_ entity: RecordEntity<Record>, id: Record.ID) {
        self.init(entity, .condition(.compare(.property("id"), .equal, .constant(.integer(id.rawValue)))))
    }

    /// The same request for those records only that a further filter selects too.
    public func filtered(_ further: RecordFilter<Record>) -> FetchRequest {
        var request = self
        request.filter = filter.map { $0 && further } ?? further
        return request
    }

    /// The same request, which leaves out and reports the rows that cannot be read, instead of throwing for the first of them.
    ///
    /// ```swift
    /// let shifts = try context.fetchRecords(FetchRequest<Shift>().skippingUnreadableRows { print("left out: \($0)") })
    /// ```
    ///
    /// Fetches of objects and records, in batches and streams, leave out what the record's initialiser or a value's type refuses, and what another program
    /// spoiled; they are counted by ``limit`` and ``offset``, by counts and among identifiers. Everything else throws as ever.
    ///
    /// - Parameter report: Called on the thread that reads, while it reads, with an error of code ``PersistenceError/Code/unreadable`` or
    ///   ``PersistenceError/Code/corrupt`` that has ``PersistenceError/entity``, ``PersistenceError/id``, ``PersistenceError/attribute`` where a value is the
    ///   reason, and ``PersistenceError/underlying``. What it throws ends the fetch.
    /// - Returns: The request.
    public func skippingUnreadableRows(_ report: @escaping @Sendable (PersistenceError) throws -> Void) -> FetchRequest
    {
        var request = self
        request.onUnreadableRow = report
        return request
    }

    /// The request as a store understands it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when a predicate cannot be translated or a key path
    ///   is no property; it names the part.
    public func lowered() throws -> StoreRequest {
        for prefetch in prefetching { _ = try prefetch.resolved(in: entity) }
        return StoreRequest(
            entity.name, where: try filter?.condition(of: entity), sort: try sort.map { try $0.lowered(of: entity) },
            limit: limit, offset: offset)
    }
}

extension FetchRequest where Record: PersistentRecord {
    /// A request of what a filter selects.
    public init(
        _ filter: RecordFilter<Record>?, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.init(
            Record.entity, filter, sort: sort, limit: limit, offset: offset, prefetching: prefetching)
    }

    /// A request of what a predicate selects.
    public init(
        where predicate: Predicate<Record>? = nil, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.init(
            predicate.map(RecordFilter.matching), sort: sort, limit: limit, offset: offset, prefetching: prefetching)
    }

    /// A request of one record by its identifier.
    public init(id: Record.ID) {
        self.init(Record.entity, id: id)
    }
}
