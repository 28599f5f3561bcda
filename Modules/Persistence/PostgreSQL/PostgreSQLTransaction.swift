#if PostgreSQL
public import StrataCore
import StrataSQL

extension PostgreSQLStore {
    /// Runs `body` inside one transaction of the server's, which has the store's writing alone.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        do {
            try write(.alone) { connection in
                let transaction = PostgreSQLTransaction(layout: layout, connection: connection)
                defer { transaction.isOver = true }
                if case .rollBack = try body(transaction) { throw RolledBack() }
            }
        } catch is RolledBack {}
    }
}

/// Ends a transaction of which nothing is to be stored.
private struct RolledBack: Error {}

/// A transaction that its store holds meanwhile.
final class PostgreSQLTransaction: SetBasedTransaction {
    let layout: SQLLayout
    let connection: PostgreSQLConnection
    /// The connection is somebody else's then.
    var isOver = false

    init(layout: SQLLayout, connection: PostgreSQLConnection) {
        (self.layout, self.connection) = (layout, connection)
    }

    private func checkOpen() throws {
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

    // MARK: Many rows by one statement

    func update(_ update: ResolvedUpdate) throws -> [Int64] {
        try checkOpen()
        var writer = SQLWriter(update.entity, layout)
        let sql = writer.update(update)
        let ids = try changedRows(sql, writer.values)
        try checkReferences()
        return ids
    }

    func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64] {
        try checkOpen()
        // Whose pairs they are is asked of the rows while they are there; but where the pairs may decide which rows go, those go first.
        let isDecidedByOthers = condition?.traversesRelationships ?? false
        if !isDecidedByOthers {
            try deletePairs(of: entity) { $0.deletion(of: $1, isSource: $2, where: condition) }
        }
        var writer = SQLWriter(entity, layout)
        let sql = writer.deletion(where: condition)
        let ids = try changedRows(sql, writer.values)
        if isDecidedByOthers { try deletePairs(of: entity) { $0.deletionOfOrphans(in: $1, isSource: $2) } }
        try checkReferences()
        return ids
    }

    private func changedRows(_ sql: String, _ values: [StoredValue]) throws -> [Int64] {
        let result = try connection.query("\(sql) RETURNING \(layout.idColumn)", values)
        return (0..<result.rowCount).map { result.field(row: $0, column: 0).integer ?? 0 }.sorted()
    }

    private func deletePairs(
        of entity: EntityDescription, _ sql: (inout SQLWriter, JoinDescription, _ isSource: Bool) -> String
    ) throws {
        for join in layout.model.joins {
            for (end, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] where end == entity.name {
                var writer = SQLWriter(entity, layout)
                let sql = sql(&writer, join, isSource)
                _ = try connection.query(sql, writer.values)
            }
        }
    }

    /// Has the server check the references now that it would check at the end.
    private func checkReferences() throws {
        try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    }
}
#endif
