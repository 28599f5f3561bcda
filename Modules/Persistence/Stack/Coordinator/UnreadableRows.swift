import StrataCore
import StrataStoreKit

/// Runs `body`, which creates a record from one row, and passes an error of an unreadable row to `report` if it is not
/// `nil`.
///
/// - Throws: The error of an unreadable row if `report` is `nil`, any other error of `body`, or the error of `report`.
@inline(__always)
func readingRow(_ report: UnreadableRowReport?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PersistenceError where error.isOfOneRow {
        guard let report else { throw error }
        try report(error)
    }
}
