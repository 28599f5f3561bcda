import StrataCore

/// An error that aborts the transaction of a set-based batch, so that the batch is repeated row by row.
///
/// It is thrown if a row is or may be invalid. Only processing row by row can find the invalid row.
struct FallbackToRows: Error {
    /// Runs a set-based operation of the store, and replaces errors that a row causes.
    ///
    /// - Throws: ``FallbackToRows`` if `body` throws an error that a row causes; any other error of `body` unchanged.
    static func `where`<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError where isOfRows(error) { throw FallbackToRows() }
    }

    private static func isOfRows(_ error: PersistenceError) -> Bool {
        switch error.code {
        case .uniqueness, .danglingReference, .arithmetic: true
        // A constraint of the tables, whose error contains no row.
        case .database: true
        // An error that names its rows is final.
        case .validation: error.failures.isEmpty
        default: false
        }
    }
}
