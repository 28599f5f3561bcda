public import Foundation
import StrataCore

/// A closure that receives the error of a row that cannot be read; an error that it throws aborts the read.
typealias UnreadableRowReport = @Sendable (PersistenceError) throws -> Void

/// A request for records of one type: a filter, an order, and a range.
///
/// ```swift
/// let request = FetchRequest<Employee>(
///     where: #Predicate { $0.salary >= 50_000 }, sort: [SortKey(\.dateHired, order: .reverse)], limit: 10)
/// ```
///
/// A fetch in a context always includes pending changes, and applies the limit and offset after them. Rows with equal
/// sort keys are ordered by identifier, and so are all rows if there is no sort key.
public struct FetchRequest<Record: ManagedRecord>: Sendable {
    /// The entity of the records.
    public let entity: RecordEntity<Record>
    /// The filter for the records; `nil` selects all records.
    public var filter: RecordFilter<Record>?
    /// The sort keys, the most significant first.
    public var sort: [SortKey<Record>]
    /// The maximum number of records, at least 0; `nil` is no limit.
    public var limit: Int?
    /// The number of records to skip at the beginning, at least 0.
    public var offset: Int
    /// The relationships whose objects the fetch also reads, with one statement each; for fetches of objects.
    public var prefetching: [Prefetch<Record>]

    /// The closure that receives rows that cannot be read, or `nil` if the fetch throws the error of the first one.
    var onUnreadableRow: UnreadableRowReport?

    /// Creates a request for the records of an entity that a filter selects.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records. For records with a type, the initializers without an entity are
    ///     equivalent.
    ///   - filter: The filter for the records; `nil` selects all records.
    ///   - sort: The sort keys, the most significant first.
    ///   - limit: The maximum number of records, at least 0; `nil` is no limit.
    ///   - offset: The number of records to skip at the beginning, at least 0.
    ///   - prefetching: The relationships whose objects the fetch also reads; for fetches of objects.
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

    /// Creates a request for one record of an entity by its identifier.
    public init(_ entity: RecordEntity<Record>, id: Record.ID) {
        self.init(entity, .condition(.compare(.property("id"), .equal, .constant(.integer(id.rawValue)))))
    }

    /// Returns the same request, restricted to the records that another filter also selects.
    public func filtered(_ further: RecordFilter<Record>) -> FetchRequest {
        var request = self
        request.filter = filter.map { $0 && further } ?? further
        return request
    }

    /// Returns the same request, which skips and reports rows that cannot be read instead of throwing an error.
    ///
    /// ```swift
    /// let shifts = try context.fetchRecords(FetchRequest<Shift>().skippingUnreadableRows { print("left out: \($0)") })
    /// ```
    ///
    /// Fetches of objects and records, in batches and streams, skip the rows that the record's initializer or a value's
    /// type rejects, and rows that another program corrupted. The ``limit``, the ``offset``, counts and fetches of
    /// identifiers include these rows. All other errors are thrown.
    ///
    /// - Parameter report: A closure that is called on the reading thread during the fetch. Its error has code
    ///   ``PersistenceError/Code/unreadable`` or ``PersistenceError/Code/corrupt``, and contains
    ///   ``PersistenceError/entity``, ``PersistenceError/id``, ``PersistenceError/underlying``, and
    ///   ``PersistenceError/attribute`` if a value is the reason. An error that the closure throws aborts the fetch.
    /// - Returns: The request.
    public func skippingUnreadableRows(_ report: @escaping @Sendable (PersistenceError) throws -> Void) -> FetchRequest
    {
        var request = self
        request.onUnreadableRow = report
        return request
    }

    /// Returns the request in the form that a store supports.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a predicate cannot be
    ///   translated, or if a key path is not a property. The error names the part.
    public func lowered() throws -> StoreRequest {
        for prefetch in prefetching { _ = try prefetch.resolved(in: entity) }
        return StoreRequest(
            entity.name, where: try filter?.condition(of: entity), sort: try sort.map { try $0.lowered(of: entity) },
            limit: limit, offset: offset)
    }
}

extension FetchRequest where Record: PersistentRecord {
    /// Creates a request for the records that a filter selects.
    public init(
        _ filter: RecordFilter<Record>?, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.init(
            Record.entity, filter, sort: sort, limit: limit, offset: offset, prefetching: prefetching)
    }

    /// Creates a request for the records that a predicate selects.
    public init(
        where predicate: Predicate<Record>? = nil, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.init(
            predicate.map(RecordFilter.matching), sort: sort, limit: limit, offset: offset, prefetching: prefetching)
    }

    /// Creates a request for one record by its identifier.
    public init(id: Record.ID) {
        self.init(Record.entity, id: id)
    }
}
