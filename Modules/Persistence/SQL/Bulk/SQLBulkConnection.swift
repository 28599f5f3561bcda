import StrataCore
import StrataStoreKit

/// A connection through which many rows are written in one transaction.
package protocol SQLBulkConnection: SQLConnection {
    /// Returns a new statement for an SQL text that the connection does not cache and that only the caller uses.
    func prepare(_ sql: String) throws -> Statement
    /// Returns an inserter that writes the rows of one entity on the connection.
    func rowInserter(_ rows: SQLInsertedRows, in layout: SQLLayout) throws -> any SQLRowInserter
    /// Runs a closure in the open transaction, which remains usable if a statement of the closure fails.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
    /// Passes the first column of all result rows of a statement to `body` as integers, until `body` returns false.
    ///
    /// The method never has all of the integers in memory at once.
    func forEachInteger(_ sql: String, _ body: (Int64) throws -> Bool) throws
    /// Runs a closure that builds indexes over tables with a count of rows, which determines the resources for sorting.
    func buildingIndexes(rows: Int, _ body: () throws -> Void) throws
}

extension SQLBulkConnection {
    /// Returns the next free identifier of an entity, which the store's table of next identifiers contains.
    func nextIdentifier(of entity: String, in layout: SQLLayout) throws -> Int64 {
        try SQLSequence(entity, in: layout, on: self).next()
    }

    /// Raises the next identifier of an entity above `highest`, if it is not greater already.
    func raiseIdentifiers(of entity: String, above highest: Int64, in layout: SQLLayout) throws {
        try SQLSequence(entity, in: layout, on: self).raise(above: highest)
    }

    /// Passes a reader to `body` that reads the rows as the open transaction has changed them.
    func read(in layout: SQLLayout, _ body: (any StoreReader) throws -> Void) throws {
        let reader = SQLTransaction(layout: layout, connection: self)
        defer { reader.isOver = true }
        try body(reader)
    }
}
