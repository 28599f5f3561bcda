#if PostgreSQL
import StrataCore
import StrataSQL

/// What the store was when it was opened: how often it had followed another model, and which model that was.
///
/// Another process may have the store follow meanwhile. It is asked in the message that begins a transaction, and costs no message of its own. Who has
/// been told a state has the metadata's table locked, as every reader of it has; whoever migrates waits for that, and others wait for it.
struct PostgreSQLGeneration: Sendable {
    let number: Int64
    /// The model's hash, as a person compares it.
    let model: String

    /// Keeps a snapshot from being taken before a migration that is under way has ended: this statement takes none
    /// (postgresql.org/docs/15/explicit-locking.html, and applevel-consistency.html on locks in a repeatable read).
    static let lock = "LOCK TABLE \(SQLLayout.metadataTable) IN ACCESS SHARE MODE"
    /// Keeps everybody from the store until the transaction ends.
    static let lockAlone = "LOCK TABLE \(SQLLayout.metadataTable) IN ACCESS EXCLUSIVE MODE"

    /// What the store says now, as a column of any statement.
    static let column = saying(SQLLayout.generationKey)

    /// Gives what the store says now.
    static let question = "SELECT \(column)"

    private static func saying(_ key: String) -> String {
        "(SELECT value FROM \(SQLLayout.metadataTable) WHERE key = '\(key)')"
    }

    /// Throws where the store has followed another model since.
    ///
    /// - Parameters:
    ///   - answer: What the store says now, in its first row.
    ///   - column: In which column that is.
    ///   - connection: Where it was said.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeMigrated``.
    func check(_ answer: PostgreSQLResult, column: Int32 = 0, on connection: PostgreSQLConnection) throws {
        let current = answer.field(row: 0, column: column).text.flatMap { Int64($0) } ?? 0
        guard current != number else { return }
        // Something else of the transaction may have failed, as the tables are others.
        connection.rollBack()
        let model = try connection.text("SELECT \(Self.saying(SQLLayout.versionKey))")
        throw PersistenceError.storeMigrated(from: self.model, to: model ?? "?", path: connection.place)
    }
}
#endif
