public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` with a writer of rows in one transaction.
    ///
    /// Indexes of an empty table are built after its rows.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try withWriter { connection in
            // References are checked once at the end, with the row's location; SQLite would check each row and say nothing.
            try connection.execute("PRAGMA foreign_keys = OFF")
            defer { restoreSettings(connection) }
            let migration = following.withLock { $0 }
            try connection.inTransaction {
                try migration?.run(in: connection)
                let writer = SQLRowWriter(layout, connection)
                defer { writer.end() }
                try body(writer)
                try writer.finish()
            }
            following.withLock { $0 = nil }
        }
    }

    private func restoreSettings(_ connection: SQLiteConnection) {
        do {
            try connection.execute("PRAGMA foreign_keys = ON")
        } catch {
            // Outside a transaction the pragma cannot fail; a connection in which it did is not used again.
            connection.close()
        }
    }
}
