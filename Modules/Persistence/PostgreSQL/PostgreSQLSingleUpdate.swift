#if PostgreSQL
import StrataCore
import StrataSQL

/// A save that changes one row in columns about which no other row has a say: one statement is all of its transaction.
struct PostgreSQLSingleUpdate {
    /// What the statement depends on.
    struct Form: Hashable {
        let entity: String
        let columns: [Int]
    }

    let entity: EntityDescription
    let update: ChangeSet.Update

    var form: Form { Form(entity: entity.name, columns: update.changedColumns) }

    /// - Returns: `nil` for any other save.
    init?(_ changes: ChangeSet, of model: ManagedObjectModel) {
        guard changes.entities.count == 1, let (name, rows) = changes.entities.first, rows.updates.count == 1,
            rows.insertions.isEmpty, rows.deletions.isEmpty, changes.joins.values.allSatisfy(\.isEmpty),
            let entity = model[name]
        else { return nil }
        let update = rows.updates[0]
        let isDecidedByOthers = update.changedColumns.contains {
            entity.isInUniqueKey($0) || entity.columns[$0].destination != nil
        }
        if isDecidedByOthers { return nil }
        (self.entity, self.update) = (entity, update)
    }
}

extension PostgreSQLStore {
    /// As many statements are kept as a connection prepares.
    private static let mostForms = PostgreSQLConnection.preparedStatements

    /// Changes a row by a statement that is a transaction of its own, and has all parts of one: it waits for whoever has the store's writing alone, fails where the
    /// store has followed another model, tells the transaction's number, and tells others.
    ///
    /// The statement's state may be older than the end of its waiting: a row that has changed meanwhile is looked at again, as it is then
    /// (postgresql.org/docs/15/transaction-iso.html#XACT-READ-COMMITTED), and has another version.
    ///
    /// - Returns: The conflict, where there is one; `nil` where the server takes no such statement, and nothing was done.
    /// - Throws: ``PersistenceError``; nothing is stored then, unless the error says that it is not known.
    func write(_ change: PostgreSQLSingleUpdate) throws -> [StoreConflict]? {
        // Of several nodes none takes a lock for another one.
        let server = pool.settings.server
        guard server.capabilities.contains(.advisoryLocks), !server.isCitus else { return nil }
        var values = change.update.changedColumns.map { change.update.values[$0] }
        values += [.integer(change.update.id), .integer(change.update.expectedVersion)]
        var telling: String?
        if let changeFeed {
            let column = changeFeed.column(telling: [change.entity.name], from: values.count + 1)
            guard let column else { return nil }
            telling = column.sql
            values += column.values
        }
        try checkWritable()
        let sql = statement(of: change, telling)
        return try pool.withConnection { connection in
            try connection.naming(generation) {
                if try run(sql, values, on: connection) { return [] }
                // The transaction is over: what follows a migration by now is not read as what it was.
                let sql = lookups[change.entity.name] ?? layout.selection(change.entity)
                let stored = try connection.storedRow(change.update.id, of: change.entity, by: sql)
                return [StoreConflict(entity: change.entity.name, id: change.update.id, stored: stored)]
            }
        }
    }

    private func statement(of change: PostgreSQLSingleUpdate, _ telling: String?) -> String {
        singleUpdates.withLock { known in
            if let sql = known[change.form] { return sql }
            let update = layout.update(change.update.changedColumns, of: change.entity, checksVersion: true)
            let conditions = ["(SELECT \(pool.settings.advisoryLock(.shared))) IS NOT NULL", generation?.condition]
            let columns = [PostgreSQLOutcome.question, telling]
            let sql =
                "\(update) AND \(conditions.compactMap(\.self).joined(separator: " AND ")) "
                + "RETURNING \(columns.compactMap(\.self).joined(separator: ", "))"
            if known.count >= Self.mostForms { known = [:] }
            known[change.form] = sql
            return sql
        }
    }

    /// Whether there was a row to change.
    private func run(_ sql: String, _ values: [StoredValue], on connection: PostgreSQLConnection) throws -> Bool {
        var answer: PostgreSQLResult?
        do {
            return try connection.runAlone(sql, values) { answer = $0 }.rowCount > 0
        } catch let error as PersistenceError where error.code == .unknownOutcome {
            // Where there was none it is the same whether that was committed.
            guard let answer, answer.rowCount > 0 else { return false }
            let number = answer.text(row: 0, column: 0)
            try PostgreSQLOutcome(of: number, on: connection, pool.settings).find(after: error)
            return true
        }
    }
}
#endif
