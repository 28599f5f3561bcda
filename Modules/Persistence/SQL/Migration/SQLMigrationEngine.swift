package import StrataCore

/// The engine-specific part of a migration, which runs the migration's statements.
package protocol SQLMigrationEngine {
    associatedtype Connection: SQLStageConnection

    /// The connection on which the migration runs, in a transaction that is rolled back after any error.
    var connection: Connection { get }

    /// Prepares the engine; called once, before the migration reads anything.
    func begin(_ counter: SQLMigrationCounter) throws
    /// Prepares a stage of the migration that rewrites tables; called before the stage changes anything.
    func prepare(_ tables: [String], isFirst: Bool) throws
    /// Runs a statement of the migration, except those that set aside tables or run user code.
    func run(_ statement: SQLMigration.Statement, _ counter: SQLMigrationCounter) throws
    /// Completes the migration after all tables match the new model; notifies other connections if `announcesChange` is
    /// true.
    func end(_ layout: SQLLayout, announcesChange: Bool) throws
}

/// A connection on which the user code of a migration stage creates rows.
package protocol SQLStageConnection: SQLBulkConnection {
    associatedtype Insertion: SQLStageInsertion

    /// Returns an object that inserts new rows of an entity.
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> Insertion
    /// Throws if any row has a dangling reference.
    ///
    /// - Parameters:
    ///   - what: The beginning of the error message, which describes the row that has the reference.
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
