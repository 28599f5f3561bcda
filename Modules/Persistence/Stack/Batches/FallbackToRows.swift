import StrataCore

/// An error that aborts the transaction of a set-based batch.
///
/// A row has or may have an error, and only processing row by row can find which one.
struct FallbackToRows: Error {
    /// Runs a set-based operation of the store.
    ///
    /// - Throws: ``FallbackToRows`` instead of an error that a row causes, or the other errors of `body`.
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
