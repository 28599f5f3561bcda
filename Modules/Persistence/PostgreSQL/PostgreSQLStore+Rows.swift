#if PostgreSQL
public import StrataCore

extension PostgreSQLStore {
    /// Refuses: rows are written by change sets only, as yet.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        throw PersistenceError(
            .invalidRequest, "a PostgreSQL store takes no bulk inserts yet; save change sets", path: pool.settings.place
        )
    }
}
#endif
