import StrataCore

/// Runs `body`, which creates a record from one row, and reports a row that cannot be read if there is a report.
///
/// - Throws: The other errors of `body`, or the errors of `report`.
@inline(__always)
func readingRow(_ report: UnreadableRowReport?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PersistenceError where error.isOfOneRow {
        guard let report else { throw error }
        try report(error)
    }
}
