package import StrataCore
package import StrataStoreKit

/// A transaction that the caller controls, during which the store reserves the connection for it.
package final class SQLTransaction<Connection: SQLConnection>: SetBasedTransaction {
    package let layout: SQLLayout
    package let connection: Connection
    /// A Boolean value that indicates whether the transaction has ended; another user may then have the connection.
    package var isOver = false
    /// The names of the entities whose rows or join rows the transaction has written so far.
    package private(set) var writtenEntities: Set<String> = []

    private let history: SQLHistoryRecorder?

    /// Creates a transaction; the caller finishes the recorder of the history before the commit.
    package init(layout: SQLLayout, connection: Connection, history: SQLHistoryRecorder? = nil) {
        (self.layout, self.connection, self.history) = (layout, connection, history)
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
        try connection.checkInTransaction()
    }

    package var model: ManagedObjectModel { layout.model }

    package func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        try connection.fetch(request, in: layout, body)
    }

    package func count(_ request: ResolvedRequest) throws -> Int {
        try checkOpen()
        return try connection.count(request, in: layout)
    }

    package func select(_ selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow) throws {
        try checkOpen()
        try connection.select(selection, in: layout, body)
    }

    package func edges(_ request: TreeRequest) throws -> [TreeEdge] {
        try checkOpen()
        return try connection.edges(request, in: layout)
    }

    /// Returns a cursor over the rows of a request, after all of them were read into memory.
    ///
    /// Engines do not define whether a running query returns rows that the transaction writes meanwhile.
    package func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        var rows: [StoredRow] = []
        try fetch(request) { row in
            rows.append(try row.stored(request.entity))
            return .next
        }
        return StoredRowCursor(rows) { [self] in try checkOpen() }
    }

    package func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try checkOpen()
        try connection.joins(request, in: layout, body)
    }

    package func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        try layout.model.checkNames(of: changes)
        guard let history else { return try write(changes) }
        return try history.inSavepoint({ try write(changes) }, wasRolledBack: { !$0.isEmpty })
    }

    private func write(_ changes: ChangeSet) throws -> [StoreConflict] {
        try connection.execute("SAVEPOINT strata")
        do {
            try SQLSaving(layout: layout, connection: connection, history: history).save(changes)
            try connection.execute("RELEASE strata")
            writtenEntities.formUnion(layout.model.entitiesWritten(by: changes))
            return []
        } catch let found as ConflictsFound {
            try connection.execute("ROLLBACK TO strata; RELEASE strata")
            return found.conflicts
        }
    }

    /// Returns the rows that a set-based statement is about to change, by their identifiers, if the history keeps their
    /// values.
    private func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?, isNeeded: Bool
    ) throws -> [Int64: StoredRow] {
        guard isNeeded else { return [:] }
        var rows: [Int64: StoredRow] = [:]
        try fetch(ResolvedRequest(all: condition, of: entity)) { row in
            rows[row.rawID] = try row.stored(entity)
            return .next
        }
        return rows
    }

    // MARK: Set-based statements

    package func update(_ update: ResolvedUpdate) throws -> [Int64] {
        try checkOpen()
        var writer = SQLWriter(update.entity, layout)
        let sql = writer.update(update)
        let before = try rows(
            of: update.entity, where: update.condition, isNeeded: history?.needsValuesOfUpdates == true)
        let ids = try connection.changedRows(sql, writer.values, in: layout)
        try connection.checkDeferredReferences(of: update.entity, in: layout)
        if !ids.isEmpty { writtenEntities.insert(update.entity.name) }
        if let history {
            let columns = update.assignments.map(\.column)
            for id in ids {
                try history.updated(
                    id, update.entity, columns: columns,
                    before: history.values(of: before[id], columns: columns, update.entity))
            }
        }
        return ids
    }

    package func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64] {
        try checkOpen()
        // The join rows are deleted before their rows, because the condition selects them by the rows. If the condition
        // depends on join rows, the rows are deleted first.
        let before = try rows(of: entity, where: condition, isNeeded: history?.needsValuesOfDeletions(entity) == true)
        let isDecidedByOthers = condition?.traversesRelationships ?? false
        if !isDecidedByOthers {
            try deletePairs(of: entity) { $0.deletion(of: $1, isSource: $2, where: condition) }
        }
        var writer = SQLWriter(entity, layout)
        let sql = writer.deletion(where: condition)
        let ids = try connection.changedRows(sql, writer.values, in: layout)
        if isDecidedByOthers { try deletePairs(of: entity) { $0.deletionOfOrphans(in: $1, isSource: $2) } }
        try connection.checkDeferredReferences(of: entity, in: layout)
        if !ids.isEmpty { writtenEntities.formUnion(layout.model.entitiesDeletedWith(entity.name)) }
        if let history {
            for id in ids {
                try history.deleted(id, entity, before: history.valuesOfDeletion(of: before[id], entity))
            }
        }
        return ids
    }

    private func deletePairs(
        of entity: EntityDescription, _ sql: (inout SQLWriter, JoinDescription, _ isSource: Bool) -> String
    ) throws {
        for join in layout.model.joins {
            for (end, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] where end == entity.name {
                var writer = SQLWriter(entity, layout)
                let sql = sql(&writer, join, isSource)
                try connection.run(sql, writer.values)
                if connection.changes > 0 { try history?.everything(join.name) }
            }
        }
    }
}
