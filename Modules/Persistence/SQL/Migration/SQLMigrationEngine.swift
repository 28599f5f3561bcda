package import StrataCore

/// The engine-specific part of a migration, which runs its statements.
package protocol SQLMigrationEngine {
    associatedtype Connection: SQLStageConnection

    /// The connection that migrates, in a transaction that is rolled back after any error.
    var connection: Connection { get }

    /// Prepares the migration; the migration calls this method once, before it reads anything.
    func begin(_ counter: SQLMigrationCounter) throws
    /// Prepares a stage that rewrites the given tables; called before the stage changes anything.
    func prepare(_ tables: [String], isFirst: Bool) throws
    /// Runs a statement that neither provides table names nor runs user code.
    func run(_ statement: SQLMigration.Statement, _ counter: SQLMigrationCounter) throws
    /// Completes the migration after all tables match the new model, and notifies other connections if requested.
    func end(_ layout: SQLLayout, announcesChange: Bool) throws
}

/// A connection on which the user code of a stage creates rows.
package protocol SQLStageConnection: SQLBulkConnection {
    associatedtype Insertion: SQLStageInsertion

    /// Returns an object that writes the new rows of an entity.
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> Insertion
    /// Throws if a row has a dangling reference.
    ///
    /// - Parameters:
    ///   - what: The beginning of the error message, which describes the owner of the reference.
    ///   - layout: The layout, which lists the references.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/danglingReference`` for the first dangling
    ///   reference.
    func checkReferences(_ what: String, in layout: SQLLayout) throws
}

/// An object that writes the new rows of one entity.
package protocol SQLStageInsertion {
    /// Writes a row.
    ///
    /// - Throws: ``PersistenceError`` with the row's values if its identifier or a unique value exists already.
    func write(_ row: StoredRow) throws
    /// Writes rows in their order.
    ///
    /// - Throws: The errors of ``write(_:)-(StoredRow)``, for the first row that cannot be written.
    func write(_ rows: [StoredRow]) throws
}
