package import StrataCore

/// What an engine brings to a check: how its rows are read, what its tables are compared with, and what it says of its files itself.
package protocol SQLCheckEngine {
    associatedtype Connection: SQLConnection

    /// The connection, in a transaction in which everything is one state.
    var connection: Connection { get }
    /// Where the store is, for errors.
    var path: String { get }
    /// What stands behind a table that is to be read itself, whatever its indexes say; begins with a space.
    var withoutIndexes: String { get }
    /// What orders an entity's rows by their identifiers, where they are not in this order by themselves; begins with a space.
    var order: String { get }
    /// What stands behind the columns of a next identifier: a number that tells its row, and how many bytes the entity's name has.
    var sequenceColumns: String { get }

    /// Runs `body`, in which the engine's own long calls end too when the check is cancelled.
    func withCancellation(_ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws
    /// Gives a statement on each of its rows to `body`, however many there are.
    func forEach(_ sql: String, _ values: [StoredValue], _ body: (Connection.Statement) throws -> Void) throws
    /// Whether a column of the row that a statement stands on holds a whole number.
    func isInteger(_ statement: Connection.Statement, at column: Int32) -> Bool
    /// A text of that row up to its first zero, whatever it is; `nil` for null.
    func text(_ statement: Connection.Statement, at column: Int32) -> String?
    /// What a column of that row holds.
    func cell(_ statement: Connection.Statement, at column: Int32, of type: AttributeType) -> StoredRowCheck.Cell

    /// Whether an error says that what is stored can be read no further, and not only that a row is none.
    func isDamage(_ error: PersistenceError) -> Bool
    /// Throws where the store does not have the tables that every store has.
    func checkOwnTables() throws
    /// Throws where not even the schema can be read.
    func checkReadability() throws
    /// Compares tables and indexes with the model's, and says of each table that has all columns that it is usable.
    func checkSchema(_ check: SQLCheck<Self>) throws
    /// Looks at what says which form the store has.
    func checkFormat(_ check: SQLCheck<Self>) throws
    /// Looks at what the engine alone knows, when all rows have been.
    func checkFiles(_ check: SQLCheck<Self>) throws
    /// Removes a next identifier that is no entity's: its name, and the number that tells its row.
    func removal(ofSequence name: String, row: Int64) -> (sql: String, values: [StoredValue])

    /// Begins a transaction that has the store alone, or throws where somebody has it open.
    func begin() throws
    /// Takes back what was changed since ``begin()`` and begins anew, without anybody coming in between.
    func beginAgain() throws
    /// Commits; where the engine cannot after what it has read, `again` makes the same changes without reading all of it.
    func commit(_ again: () throws -> Void) throws
}

extension SQLCheckEngine {
    package func forEach(_ sql: String, _ body: (Connection.Statement) throws -> Void) throws {
        try forEach(sql, [], body)
    }
}
