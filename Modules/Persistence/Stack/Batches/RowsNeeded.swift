import StrataCore

/// Ends a transaction in which a batch was tried by sets: something is wrong with some row, or may be, and only rows tell with which.
struct RowsNeeded: Error {
    /// Runs what the store does by itself.
    ///
    /// - Throws: ``RowsNeeded`` in the place of what a row is the reason of, or what `body` throws.
    static func `where`<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError where isOfRows(error) { throw RowsNeeded() }
    }

    private static func isOfRows(_ error: PersistenceError) -> Bool {
        switch error.code {
        case .uniqueness, .danglingReference, .arithmetic: true
        // A constraint of the tables that says no more.
        case .database: true
        // What names its rows has been found out already.
        case .validation: error.failures.isEmpty
        default: false
        }
    }
}
