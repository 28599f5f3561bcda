public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Runs `body` inside one transaction of SQLite's, on the connection that writes.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try withWriter { connection in
            let transaction = SQLiteTransaction(layout: layout, connection: connection)
            defer { transaction.isOver = true }
            defer { commits.withLock { $0.countEverything() } }
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
final class SQLiteTransaction: StoreTransaction {
    let layout: SQLLayout
    let connection: SQLiteConnection
    /// The connection is somebody else's then.
    var isOver = false

    init(layout: SQLLayout, connection: SQLiteConnection) {
        self.layout = layout
        self.connection = connection
    }

    func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
        try connection.checkInTransaction()
    }

    var model: ManagedObjectModel { layout.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        try connection.fetch(request, layout, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int {
        try checkOpen()
        return try connection.count(request, layout)
    }

    /// Reads all rows before: a statement that is going on sees some of what is saved meanwhile, and SQLite does not say what.
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        var rows: [StoredRow] = []
        try fetch(request) { row in
            rows.append(try row.stored(request.entity))
            return .next
        }
        return StoredRowCursor(rows) { [self] in try checkOpen() }
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try checkOpen()
        try connection.joins(request, layout, body)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        try layout.model.checkNames(of: changes)
        try connection.execute("SAVEPOINT strata")
        do {
            try SQLSaving(layout: layout, connection: connection).save(changes)
            try connection.execute("RELEASE strata")
            return []
        } catch let found as ConflictsFound {
            try connection.execute("ROLLBACK TO strata; RELEASE strata")
            return found.conflicts
        }
    }
}
