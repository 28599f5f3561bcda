public import StrataCore

extension SQLiteStore {
    /// Runs `body` inside one transaction of SQLite's, on the connection that writes.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try withWriter { connection in
            let transaction = SQLiteTransaction(layout: layout, connection: connection)
            defer { transaction.isOver = true }
            do {
                try connection.inTransaction {
                    if case .rollBack = try body(transaction) { throw RolledBack() }
                }
            } catch is RolledBack {}
        }
    }
}

/// Ends a transaction of which nothing is to be stored.
private struct RolledBack: Error {}

/// A transaction on the connection that writes, which its store holds meanwhile.
private final class SQLiteTransaction: StoreTransaction {
    private let layout: SQLiteLayout
    private let connection: SQLiteConnection
    /// The connection is somebody else's then.
    var isOver = false

    init(layout: SQLiteLayout, connection: SQLiteConnection) {
        self.layout = layout
        self.connection = connection
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
        try connection.checkInTransaction()
    }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        let entity = try request.validate(in: layout.model)
        var translator = SQLiteTranslator(entity, layout)
        let sql = try translator.selection(request)
        try connection.fetch(sql, values: translator.values, entity: entity, body)
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] {
        try checkOpen()
        return try connection.joins(request, of: try request.validate(in: layout.model), layout)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        try layout.model.checkNames(of: changes)
        try connection.execute("SAVEPOINT strata")
        do {
            try SQLiteSaving(layout: layout, connection: connection).save(changes)
            try connection.execute("RELEASE strata")
            return []
        } catch let found as ConflictsFound {
            try connection.execute("ROLLBACK TO strata; RELEASE strata")
            return found.conflicts
        }
    }
}
