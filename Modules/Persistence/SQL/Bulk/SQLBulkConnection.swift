import StrataCore

/// A connection through which many rows are written in one transaction.
package protocol SQLBulkConnection: SQLConnection {
    /// Returns a statement that only the caller uses, for as long as the caller retains it.
    func prepare(_ sql: String) throws -> Statement
    /// Returns an inserter for rows on the connection.
    func rowInserter(_ rows: SQLInsertedRows, in layout: SQLLayout) throws -> any SQLRowInserter
    /// Runs a closure whose failure does not end the transaction.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
    /// Passes the first column of all rows of a statement to `body` as integers, until `body` returns false.
    ///
    /// The method never has all of the integers in memory at once.
    func forEachInteger(_ sql: String, _ body: (Int64) throws -> Bool) throws
    /// Runs a closure that builds indexes over a number of rows.
    func buildingIndexes(rows: Int, _ body: () throws -> Void) throws
}

extension SQLBulkConnection {
    /// Returns the next identifier of an entity.
    func nextIdentifier(of entity: String, in layout: SQLLayout) throws -> Int64 {
        try SQLSequence(entity, in: layout, on: self).next()
    }

    /// Raises the next identifier of an entity above an identifier.
    func raiseIdentifiers(of entity: String, above highest: Int64, in layout: SQLLayout) throws {
        try SQLSequence(entity, in: layout, on: self).raise(above: highest)
    }

    /// Passes a reader to `body` that reads the rows in their state in the transaction.
    func read(in layout: SQLLayout, _ body: (any StoreReader) throws -> Void) throws {
        let reader = SQLTransaction(layout: layout, connection: self)
        defer { reader.isOver = true }
        try body(reader)
    }
}
