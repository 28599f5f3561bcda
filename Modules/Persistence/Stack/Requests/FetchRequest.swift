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
public struct FetchRequest<Record: PersistentRecord>: Sendable {
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

    /// A request of what a filter selects.
    public init(
        _ filter: RecordFilter<Record>?, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.prefetching = prefetching
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
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
        self.init(.condition(.compare(.property("id"), .equal, .constant(.integer(id.rawValue)))))
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
        StoreRequest(
            Record.entity.name, where: try filter?.condition(), sort: try sort.map { try $0.lowered() }, limit: limit,
            offset: offset)
    }
}
