import StrataCore

/// Runs `body`, which makes a record of one row; a row that cannot be read is reported, where somebody wants to know.
///
/// - Throws: What `body` throws otherwise, or what `report` throws.
@inline(__always)
func readingRow(_ report: UnreadableRowReport?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PersistenceError where error.isOfOneRow {
        guard let report else { throw error }
        try report(error)
    }
}
