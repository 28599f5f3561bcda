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

    /// Returns the values of a statement's parameters.
    ///
    /// - Parameter names: The different names of the statement's parameters.
    /// - Returns: The values in the order of the names.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a parameter has no value,
    ///   or if the statement lacks a parameter that has a value.
    package func values(of names: [String]) throws -> [StoredValue] {
        if let name = Set(parameters.keys).subtracting(names).min() {
            throw PersistenceError(.invalidRequest, "the query has no parameter \(name)")
        }
        return try names.map { name in
            guard let value = parameters[name] else {
                throw PersistenceError(.invalidRequest, "the parameter \(name) has no value")
            }
            return value
        }
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
