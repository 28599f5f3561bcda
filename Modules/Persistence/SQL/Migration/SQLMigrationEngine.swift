package import StrataCore

/// What an engine brings to a migration: how a statement is run, and what stands around them.
package protocol SQLMigrationEngine {
    associatedtype Connection: SQLStageConnection

    /// The connection that migrates, in a transaction that takes everything back where anything fails.
    var connection: Connection { get }

    /// Called once before anything is read.
    func begin(_ counter: SQLMigrationCounter) throws
    /// Called before a stage changes anything: the tables are those that it writes anew.
    func prepare(_ tables: [String], isFirst: Bool) throws
    /// Runs what is neither names nor somebody's code.
    func run(_ statement: SQLMigration.Statement, _ counter: SQLMigrationCounter) throws
    /// Called when all tables are the later model's; those who have the store open may have to notice.
    func end(_ layout: SQLLayout, isTold: Bool) throws
}

/// A connection on which a stage's code makes rows.
package protocol SQLStageConnection: SQLBulkConnection {
    associatedtype Insertion: SQLStageInsertion

    /// What writes the later rows of an entity.
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> Insertion
    /// Refuses rows whose references lead nowhere.
    ///
    /// - Parameters:
    ///   - what: What has such a reference, as the error begins.
    ///   - layout: Says where references are.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/danglingReference`` for the first one.
    func checkReferences(_ what: String, in layout: SQLLayout) throws
}

/// Writes the later rows of one entity.
package protocol SQLStageInsertion {
    /// Writes a row.
    ///
    /// - Throws: ``PersistenceError`` that names the row, where its identifier or a unique value is taken.
    func write(_ row: StoredRow) throws
    /// Writes rows in their order.
    ///
    /// - Throws: As ``write(_:)-(StoredRow)``, for the first row that cannot be written.
    func write(_ rows: [StoredRow]) throws
}
