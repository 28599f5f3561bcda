#if PostgreSQL
public import StrataCore
import StrataSQL

extension PostgreSQLStore {
    /// Runs `body` with a writer of rows in one transaction, which has the store's writing alone.
    ///
    /// Indexes stay: who reads the store meanwhile needs them.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try write(.alone) { connection in
            let writer = SQLRowWriter(layout, connection)
            defer { writer.end() }
            try body(writer)
            try writer.finish()
        }
    }
}
#endif
