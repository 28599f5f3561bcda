package import StrataCore

/// The engine-specific part of a check.
///
/// It reads the rows, compares the schema, and runs the engine's own check of the files.
package protocol SQLCheckEngine {
    associatedtype Connection: SQLConnection

    /// The connection, in a transaction that reads a single snapshot.
    var connection: Connection { get }
    /// The location of the store, for errors.
    var path: String { get }
    /// The text after a table's name that makes the engine ignore the table's indexes, with a leading space.
    var withoutIndexes: String { get }
    /// The clause that orders an entity's rows by their identifiers, with a leading space; empty if it is unnecessary.
    var order: String { get }
    /// The columns after a next identifier: a number that identifies its row, and the length of the name in bytes.
    var sequenceColumns: String { get }

    /// Runs `body`; a cancellation of the check also interrupts the engine's long operations.
    func withCancellation(_ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws
    /// Passes the statement to `body` for each of its rows, without a limit on their count.
    func forEach(_ sql: String, _ values: [StoredValue], _ body: (Connection.Statement) throws -> Void) throws
    /// Returns a Boolean value that indicates whether a column of the current row contains an integer.
    func isInteger(_ statement: Connection.Statement, at column: Int32) -> Bool
    /// Returns a text of the current row up to its first zero byte, even if it is invalid; `nil` for null.
    func text(_ statement: Connection.Statement, at column: Int32) -> String?
    /// Returns the content of a column of the current row.
    func cell(_ statement: Connection.Statement, at column: Int32, of type: AttributeType) -> StoredRowCheck.Cell

    /// Returns a Boolean value that indicates whether an error means that the stored data cannot be read any further.
    ///
    /// The value is false if the error concerns only an invalid row.
    func isDamage(_ error: PersistenceError) -> Bool
    /// Throws if the store does not have the tables that every store has.
    func checkOwnTables() throws
    /// Throws if the schema cannot be read.
    func checkReadability() throws
    /// Compares tables and indexes with the model, and marks each table that has all columns as usable.
    func checkSchema(_ check: SQLCheck<Self>) throws
    /// Checks the format marks of the store.
    func checkFormat(_ check: SQLCheck<Self>) throws
    /// Runs the checks that only the engine can perform, after all rows were checked.
    func checkFiles(_ check: SQLCheck<Self>) throws
    /// Returns a statement that deletes the next identifier of an unknown entity; `row` identifies its row.
    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue])

    /// Begins a transaction with exclusive access to the store, or throws if another connection has the store open.
    func begin() throws
    /// Rolls back all changes since ``begin()`` and begins again, without access for other connections in between.
    func beginAgain() throws
    /// Commits the transaction.
    ///
    /// If the engine cannot commit after the check has read the store, it repeats the changes with `again`, without
    /// reading all rows.
    func commit(_ again: () throws -> Void) throws
}

extension SQLCheckEngine {
    package func forEach(_ sql: String, _ body: (Connection.Statement) throws -> Void) throws {
        try forEach(sql, [], body)
    }
}
