public import Foundation
import StrataCore

/// A closure that receives the error of a row that cannot be read; if it throws an error, the read fails with that
/// error.
typealias UnreadableRowReport = @Sendable (PersistenceError) throws -> Void

/// A request for records of one type: a filter, an order, and a range.
///
/// ```swift
/// let request = FetchRequest<Employee>(
///     where: #Predicate { $0.salary >= 50_000 }, sort: [SortKey(\.dateHired, order: .reverse)], limit: 10)
/// ```
///
/// A fetch in a context always includes unsaved changes, and applies the limit and offset afterwards. Records with
/// equal sort keys are sorted by identifier; without sort keys, all records are.
///
/// A request is a value and reads nothing. ``RecordContext/fetch(_:)`` returns records, ``ConfinedContext/fetch(_:)``
/// returns objects, ``RecordContext/stream(_:)`` returns a sequence, and ``RecordContext/count(_:)`` returns a number.
/// The request is checked when it is used: an unknown property, an unsupported part of a predicate, or a negative limit
/// then throws an error with code ``PersistenceError/Code/invalidRequest``.
///
/// For the supported forms of `#Predicate`, see <doc:Predicates>; for the comparison of values, null and texts, see
/// <doc:ComparisonRules>.
///
/// ## Topics
///
/// ### Creating a request
///
/// - ``init(where:sort:limit:offset:prefetching:)``
/// - ``init(_:sort:limit:offset:prefetching:)``
/// - ``init(id:)``
///
/// ### Creating a request for an entity
///
/// - ``init(_:_:sort:limit:offset:prefetching:)``
/// - ``init(_:id:)``
/// - ``init(_:where:sort:limit:offset:now:)``
/// - ``init(_:sort:limit:offset:)``
///
/// ### Selection and order
///
/// - ``entity``
/// - ``filter``
/// - ``filtered(_:)``
/// - ``sort``
/// - ``limit``
/// - ``offset``
///
/// ### Related objects
///
/// - ``prefetching``
///
/// ### Rows that cannot be read
///
/// - ``skippingUnreadableRows(_:)``
///
/// ### Translation for stores
///
/// - ``lowered()``
public struct FetchRequest<Record: ManagedRecord>: Sendable {
    /// The entity of the records.
    public let entity: RecordEntity<Record>
    /// The filter for the records; `nil` selects all records.
    public var filter: RecordFilter<Record>?
    /// The sort keys, the most significant first.
    public var sort: [SortKey<Record>]
    /// The maximum number of records, at least 0; `nil` means no limit.
    public var limit: Int?
    /// The number of records to skip at the beginning, at least 0.
    ///
    /// The store reads the skipped rows too. For a long list, ``RecordContext/page(_:size:after:)`` is faster.
    public var offset: Int
    /// The relationships whose related objects a fetch of objects also reads, with one statement each.
    ///
    /// A prefetch avoids one statement for each object when a loop follows its relationships. It has no effect on the
    /// selected records.
    public var prefetching: [Prefetch<Record>]

    /// The closure that receives the errors of unreadable rows, or `nil` if the first such error makes the fetch fail.
    var onUnreadableRow: UnreadableRowReport?

    /// Creates a request for the records of an entity that a filter selects.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records. If the record type declares the entity, the initializers without this
    ///     parameter are equivalent.
    ///   - filter: The filter that selects the records; `nil` selects all records.
    ///   - sort: The sort keys, the most significant first.
    ///   - limit: The maximum number of records, at least 0; `nil` means no limit.
    ///   - offset: The number of selected records to skip at the beginning, at least 0.
    ///   - prefetching: The relationships whose related objects a fetch of objects also reads.
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

    /// Creates a request for the record of an entity with an identifier.
    ///
    /// If there is no such record, the result of the fetch is empty.
    public init(_ entity: RecordEntity<Record>, id: Record.ID) {
        self.init(entity, .condition(.compare(.property("id"), .equal, .constant(.integer(id.rawValue)))))
    }

    /// Returns the same request, restricted to records that another filter also selects.
    ///
    /// - Parameter further: The other filter, which is evaluated after the filter of this request.
    /// - Returns: The request.
    public func filtered(_ further: RecordFilter<Record>) -> FetchRequest {
        var request = self
        request.filter = filter.map { $0 && further } ?? further
        return request
    }

    /// Returns the same request, changed to skip and report rows that cannot be read instead of throwing an error.
    ///
    /// ```swift
    /// let shifts = try context.fetchRecords(FetchRequest<Shift>().skippingUnreadableRows { print("left out: \($0)") })
    /// ```
    ///
    /// Rows are skipped if the record's initializer or the type of a value rejects them, or if another program
    /// corrupted them. This applies to fetches of objects and records, also in batches and streams. The skipped rows
    /// still count for the ``limit``, for the ``offset``, in counts, and in fetches of identifiers. All other errors
    /// are thrown.
    ///
    /// - Parameter report: A closure that is called for each skipped row, on the reading thread during the fetch. Its
    ///   argument has code ``PersistenceError/Code/unreadable`` or ``PersistenceError/Code/corrupt``, and contains
    ///   ``PersistenceError/entity``, ``PersistenceError/id`` and ``PersistenceError/underlying``. If a value is the
    ///   reason, it also contains ``PersistenceError/attribute``. If the closure throws an error, the fetch fails with
    ///   that error.
    /// - Returns: The request.
    public func skippingUnreadableRows(_ report: @escaping @Sendable (PersistenceError) throws -> Void) -> FetchRequest
    {
        var request = self
        request.onUnreadableRow = report
        return request
    }

    /// Returns the request translated to the form that stores support.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a part of a predicate
    ///   cannot be translated, or if a key path does not belong to a property. The error names that part or key path.
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
    ///
    /// - Parameters:
    ///   - predicate: The predicate, which may capture values; `nil` selects all records.
    ///   - sort: The sort keys, the most significant first.
    ///   - limit: The maximum number of records, at least 0; `nil` means no limit.
    ///   - offset: The number of selected records to skip at the beginning, at least 0.
    ///   - prefetching: The relationships whose related objects a fetch of objects also reads.
    public init(
        where predicate: Predicate<Record>? = nil, sort: [SortKey<Record>] = [], limit: Int? = nil, offset: Int = 0,
        prefetching: [Prefetch<Record>] = []
    ) {
        self.init(
            predicate.map(RecordFilter.matching), sort: sort, limit: limit, offset: offset, prefetching: prefetching)
    }

    /// Creates a request for the record with an identifier.
    public init(id: Record.ID) {
        self.init(Record.entity, id: id)
    }
}
