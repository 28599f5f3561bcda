package import StrataCore
package import StrataStoreKit

/// The engine-specific part of a store check.
///
/// It reads the rows, compares the schema, and runs the engine's own check of the files.
package protocol SQLCheckEngine {
    associatedtype Connection: SQLConnection

    /// The connection to the checked store, in a transaction that reads a single snapshot.
    var connection: Connection { get }
    /// The location of the store, for error messages.
    var path: String { get }
    /// The SQL text after a table's name that makes the engine ignore the table's indexes; it begins with a space.
    var withoutIndexes: String { get }
    /// The `ORDER BY` clause that orders an entity's rows by identifier, with a leading space; empty if the engine
    /// returns them in this order without it.
    var order: String { get }
    /// The SQL columns that follow the next identifier in a query: the number of the row in the table of next
    /// identifiers, and the length of the entity's name in bytes.
    var sequenceColumns: String { get }

    /// Runs `body`; if `isCancelled` returns true, interrupts long operations of the engine.
    func withCancellation(_ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws
    /// Runs a query and passes the statement to `body` once for each result row.
    func forEach(_ sql: String, _ values: [StoredValue], _ body: (Connection.Statement) throws -> Void) throws
    /// Returns a Boolean value that indicates whether a column of the statement's current row contains an integer.
    func isInteger(_ statement: Connection.Statement, at column: Int32) -> Bool
    /// Returns the text in a column of the statement's current row up to its first zero byte, even if the text is
    /// invalid UTF-8; `nil` for null.
    func text(_ statement: Connection.Statement, at column: Int32) -> String?
    /// Returns the content of a column of the statement's current row, with the information whether it has the expected
    /// type.
    func cell(_ statement: Connection.Statement, at column: Int32, of type: AttributeType) -> StoredRowCheck.Cell

    /// Returns a Boolean value that indicates whether an error means that the stored data is damaged and cannot be read
    /// further.
    ///
    /// The result is false if the error concerns only one invalid row.
    func isDamage(_ error: PersistenceError) -> Bool
    /// Throws if the store lacks one of its own tables, which contain the metadata and the next identifiers.
    func checkOwnTables() throws
    /// Throws if the database schema cannot be read.
    func checkReadability() throws
    /// The queries that describe the schema of the database.
    var catalogQueries: SQLCatalogQueries { get }
    /// Returns the form of a name in which two names of the same index in the catalog are equal.
    func catalogName(_ name: String) -> String
    /// Returns a Boolean value that indicates whether values can be read from a column that has another type than the
    /// model's.
    func canRead(_ type: String, as wanted: String) -> Bool
    /// Checks the marks that identify the database as a store of a format version.
    func checkFormat(_ check: SQLCheck<Self>) throws
    /// Runs the engine's own check of the database files, after all rows were checked.
    func checkFiles(_ check: SQLCheck<Self>) throws
    /// Returns the statement that deletes the next identifier of an unknown entity; `row` is the number of its row in
    /// the table of next identifiers.
    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue])

    /// Begins a transaction with exclusive access to the store; throws if another connection has the store open.
    func begin() throws
    /// Rolls back all changes since ``begin()`` and begins again, without access for other connections in between.
    func beginAgain() throws
    /// Commits the transaction.
    ///
    /// If the engine cannot commit the transaction in which the check has read the store, it begins another one, calls
    /// `again` to repeat the changes, and commits that transaction.
    func commit(_ again: () throws -> Void) throws
}

extension SQLCheckEngine {
    package func forEach(_ sql: String, _ body: (Connection.Statement) throws -> Void) throws {
        try forEach(sql, [], body)
    }
}
