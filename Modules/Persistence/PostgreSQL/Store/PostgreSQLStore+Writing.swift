#if PostgreSQL
public import StrataCore
public import StrataSQL
public import StrataStoreKit

extension PostgreSQLStore {
    /// Runs `body` inside one transaction of the server that has the store's exclusive write lock.
    ///
    /// No other process can write the store until `body` returns, so it should not wait for people or other services.
    /// Readers do not wait. If `body` throws an error or returns another value than ``TransactionCompletion/commit``,
    /// everything is rolled back.
    ///
    /// - Parameter body: A closure that reads and saves through its argument, which is valid only during the call. If a
    ///   deadlock occurs before it, the transaction is retried; it is never called twice.
    /// - Throws: An error that `body` throws, or ``PersistenceError`` if the store cannot be written.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        do {
            try write(.alone) { connection, written in
                let history = SQLHistoryRecorder(
                    historyLevel, process: historyProcess, in: layout, on: connection)
                let transaction = PostgreSQLTransaction(layout: layout, connection: connection, history: history)
                defer { transaction.isOver = true }
                if case .rollBack = try body(transaction) { throw RolledBack() }
                try history?.finish()
                written = transaction.writtenEntities
            }
        } catch is RolledBack {}
    }
}

/// An error that rolls back a transaction because the caller requested this.
private struct RolledBack: Error {}

/// A transaction that the caller controls; the store reserves the connection for it while it runs.
typealias PostgreSQLTransaction = SQLTransaction<PostgreSQLConnection>

extension PostgreSQLConnection {
    func changedRows(_ sql: String, _ values: [StoredValue], in layout: SQLLayout) throws -> [Int64] {
        let result = try query("\(sql) RETURNING \(layout.idColumn)", values)
        return (0..<result.rowCount).map { result.field(row: $0, column: 0).integer ?? 0 }.sorted()
    }

    /// Throws if the transaction has made a reference dangling, which the server itself would report only at the
    /// commit.
    ///
    /// If the server cannot check references immediately, queries search for dangling references in rows of the entity
    /// and to rows of the entity.
    func checkDeferredReferences(of entity: EntityDescription, in layout: SQLLayout) throws {
        if server.capabilities.contains(.immediateChecks) {
            return try execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        }
        let found = try firstDangling(in: layout) { [$0.table, $0.destination].contains(entity.name) }
        if let found {
            throw found.error("a row has a reference to", path: place)
        }
    }
}

extension PostgreSQLStore {
    /// Runs `body` with a bulk writer in one transaction that has the store's exclusive write lock.
    ///
    /// Indexes are not dropped during the transaction, because concurrent readers of the store need them.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        let opening = following.withLock { $0 }
        try write(.alone, following: opening) { connection, written in
            let history = SQLHistoryRecorder(
                historyLevel, process: historyProcess, in: layout, on: connection)
            let writer = SQLRowWriter(layout, connection, history: history)
            defer { writer.end() }
            try body(writer)
            try writer.finish()
            try history?.finish()
            written = opening == nil ? writer.writtenEntities : Set(model.entities.map(\.name))
        }
        following.withLock { $0 = nil }
    }
}
#endif
