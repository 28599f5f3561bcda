public import Foundation

/// Which records a repository is asked for, in which order, and how many of them.
///
/// ```swift
/// let least = 50_000
/// let highest = Query<Employee>(where: #Predicate { $0.salary >= least }, sort: [.descending(\.salary)], limit: 10)
/// ```
///
/// Records that the sort keys do not tell apart, and all of them where there is no key, come by ascending id.
/// Literals in a predicate are best hoisted into typed constants, as above: the compiler is then much faster.
public struct Query<Record: Sendable>: Sendable {
    /// The condition that records must meet, or nil for all of them.
    public var predicate: Predicate<Record>?

    /// The keys to order by, the weightiest first.
    public var sort: [Sort]

    /// The most records to return, or nil for no bound.
    ///
    /// A negative limit is an error of the fetch.
    public var limit: Int?

    /// How many records to skip before the first.
    ///
    /// A negative offset is an error of the fetch.
    public var offset: Int

    /// Makes a query; without arguments it asks for everything.
    ///
    /// Nothing is checked here: a fetch with a negative limit or offset throws ``DomainError``, see ``validate()``.
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

    /// Every record, by ascending id.
    public static var all: Self { Self() }

    /// Checks what the initialiser does not; every repository calls it before it fetches.
    ///
    /// - Throws: ``DomainError`` with the code `invalidQuery` where limit or offset is negative.
    public func validate() throws {
        if let limit, limit < 0 { throw Self.negative("limit", limit) }
        if offset < 0 { throw Self.negative("offset", offset) }
    }

    private static func negative(_ property: String, _ value: Int) -> DomainError {
        DomainError(code: .invalidQuery, type: "Query", property: property, message: "\(value) is less than 0")
    }
}
