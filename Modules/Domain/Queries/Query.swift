public import Foundation

/// A request for records: a condition, an order, and a range.
///
/// ```swift
/// let least = 50_000
/// let highest = Query<Employee>(where: #Predicate { $0.salary >= least }, sort: [.descending(\.salary)], limit: 10)
/// ```
///
/// If all sort keys of two records are equal, the record with the smaller id is first. Without sort keys, all records
/// are ordered by ascending id.
///
/// Assign the literals of a predicate to typed constants, as above. The compiler is then much faster.
///
/// A query is a value without a connection to a repository. It can be stored, changed and used for several fetches;
/// each fetch reads the current records.
///
/// ## Topics
///
/// ### Creating a query
///
/// - ``init(where:sort:limit:offset:)``
/// - ``all``
///
/// ### Selecting
///
/// - ``predicate``
/// - ``limit``
/// - ``offset``
///
/// ### Sorting
///
/// - ``sort``
/// - ``Sort``
///
/// ### Evaluating
///
/// - ``validate()``
/// - ``applied(to:)``
public struct Query<Record: Sendable>: Sendable {
    /// The condition that records must meet, or `nil` for all records.
    ///
    /// A repository over a store translates the condition; a fetch throws an error if the condition contains an
    /// expression that the store cannot evaluate.
    public var predicate: Predicate<Record>?

    /// The keys by which the result is sorted, the most significant key first.
    public var sort: [Sort]

    /// The maximum number of records to return, or `nil` for no limit.
    ///
    /// A fetch with a negative limit throws an error.
    public var limit: Int?

    /// The number of records to skip at the beginning of the result.
    ///
    /// A fetch with a negative offset throws an error.
    public var offset: Int

    /// Creates a query; without arguments, the query selects all records.
    ///
    /// The initializer checks nothing. A fetch with a negative limit or offset throws ``DomainError``; see
    /// ``validate()``.
    ///
    /// - Parameters:
    ///   - predicate: The condition; `nil` selects all records.
    ///   - sort: The sort keys, the most significant first; an empty array sorts by ascending id.
    ///   - limit: The maximum number of records, at least 0; `nil` for no limit.
    ///   - offset: The number of records to skip, at least 0.
    public init(
        where predicate: Predicate<Record>? = nil,
        sort: [Sort] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }

    /// A query that selects all records, ordered by ascending id.
    public static var all: Self { Self() }

    /// Checks that the limit and the offset are not negative.
    ///
    /// Every repository calls this method before it fetches.
    /// - Throws: ``DomainError`` with the code `invalidQuery` if the limit or offset is negative.
    public func validate() throws {
        if let limit, limit < 0 { throw Self.negative("limit", limit) }
        if offset < 0 { throw Self.negative("offset", offset) }
    }

    private static func negative(_ property: String, _ value: Int) -> DomainError {
        DomainError(code: .invalidQuery, type: "Query", property: property, message: "\(value) is less than 0")
    }
}
