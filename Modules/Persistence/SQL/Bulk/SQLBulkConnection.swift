import StrataCore

/// A connection through which many rows are written in one transaction.
package protocol SQLBulkConnection: SQLConnection {
    /// A statement of whoever asks, for as long as it is kept.
    func prepare(_ sql: String) throws -> Statement
    /// What takes rows on the connection.
    func rowInserter(_ rows: SQLInsertedRows, in layout: SQLLayout) throws -> any SQLRowInserter
    /// Runs what may fail without an end of the transaction.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
    /// Gives the first column of all rows of a statement as whole numbers, as long as `body` wants more; not all of them are in memory at once.
    func forEachInteger(_ sql: String, _ body: (Int64) throws -> Bool) throws
    /// Runs what builds indexes over so many rows.
    func buildingIndexes(rows: Int, _ body: () throws -> Void) throws
}

extension SQLBulkConnection {
    /// The next identifier of an entity.
    func nextIdentifier(of entity: String, in layout: SQLLayout) throws -> Int64 {
        try SQLSequence(entity, in: layout, on: self).next()
    }

    /// Raises the mark of an entity above an identifier.
    func raiseIdentifiers(of entity: String, above highest: Int64, in layout: SQLLayout) throws {
        try SQLSequence(entity, in: layout, on: self).raise(above: highest)
    }

    /// Gives `body` the rows as the transaction has them.
    func read(in layout: SQLLayout, _ body: (any StoreReader) throws -> Void) throws {
        let reader = SQLTransaction(layout: layout, connection: self)
        defer { reader.isOver = true }
        try body(reader)
    }
}
