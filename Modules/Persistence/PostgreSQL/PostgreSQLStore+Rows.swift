#if PostgreSQL
public import StrataCore
import StrataSQL

extension PostgreSQLStore {
    /// Runs `body` with a bulk writer in one transaction that has the store's exclusive write lock.
    ///
    /// Indexes are not dropped during the transaction, because concurrent readers of the store need them.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        let opening = following.withLock { $0 }
        try write(.alone, following: opening) { connection, written in
            let writer = SQLRowWriter(layout, connection)
            defer { writer.end() }
            try body(writer)
            try writer.finish()
            written = opening == nil ? writer.writtenEntities : Set(model.entities.map(\.name))
        }
        following.withLock { $0 = nil }
    }
}
#endif
