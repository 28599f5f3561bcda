public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` with a bulk writer in one transaction.
    ///
    /// Indexes of an empty table are built after its rows are inserted.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try withWriter { connection in
            // The writer checks references once at the end and reports the row's location. SQLite would check each row
            // without a location.
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
            // Outside a transaction, the pragma cannot fail. If it fails nevertheless, the connection is not used
            // again.
            connection.close()
        }
    }
}
