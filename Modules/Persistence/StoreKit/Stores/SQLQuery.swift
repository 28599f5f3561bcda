package import StrataCore

/// A query in the language of a store's database, which only reads.
package struct SQLQuery: Sendable {
    /// The text of one statement.
    package var text: String
    /// The values of the statement's parameters, by their names without a sign.
    package var parameters: [String: StoredValue]
    /// A closure that returns whether the query should be cancelled.
    package var isCancelled: @Sendable () -> Bool

    /// Creates a query.
    package init(
        _ text: String, parameters: [String: StoredValue] = [:],
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.text = text
        self.parameters = parameters
        self.isCancelled = isCancelled
    }
}

/// A store that runs queries in the language of its database.
package protocol SQLQueryable: PersistentStore {
    /// Runs a query that reads one state of the store.
    ///
    /// The names of entities and of their files denote views with the values that files have. The functions
    /// `decimal_sum` and `decimal_avg` add decimals exactly.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - begin: A closure that receives the names of the result's columns before the first row.
    ///   - body: A closure that receives the values of each row.
    /// - Throws: The errors of the closures; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``
    ///   for a text that is no permitted query, or another ``PersistenceError`` if the query fails;
    ///   `CancellationError`.
    func run(
        _ query: SQLQuery, begin: ([String]) throws -> Void, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws
}
