import StrataCore
package import StrataStoreKit

/// An error that ends the transaction of a save, because stored rows have other versions than the change set expects.
package struct ConflictsFound: Error {
    package let conflicts: [StoreConflict]
}

/// A writer of one change set in an open transaction: first its deletions, then its updates, then its insertions.
package struct SQLSaving<Connection: SQLConnection> {
    let layout: SQLLayout
    let connection: Connection
    let history: SQLHistoryRecorder?

    /// Creates a writer; the caller finishes the recorder of the history before the commit.
    package init(layout: SQLLayout, connection: Connection, history: SQLHistoryRecorder?) {
        (self.layout, self.connection, self.history) = (layout, connection, history)
    }

    /// Writes the change set.
    ///
    /// - Throws: ``ConflictsFound`` if stored rows have other versions, or the error of a statement; in both cases, a
    ///   part of the change set may have been written.
    package func save(_ changes: ChangeSet) throws {
        let conflicts = try write(changes)
        if !conflicts.isEmpty { throw ConflictsFound(conflicts: conflicts) }
        try writeJoins(changes)
        if let history {
            for join in layout.model.joins {
                guard let changes = changes.joins[join.name] else { continue }
                try history.changed(changes.removed, of: join.name, .joinRemoved)
                try history.changed(changes.added.map(\.pair), of: join.name, .joinAdded)
            }
        }
        try checkReferences(changes)
        try checkJoins(changes)
    }

    func write(_ changes: ChangeSet) throws -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        // Rows with changed unique values are deleted first and reinserted last, so that two rows can exchange their
        // values.
        var restored: [(EntityDescription, StoredRow)] = []
        for entity in layout.model.entities {
            guard let entityChanges = changes.entities[entity.name] else { continue }
            for deletion in entityChanges.deletions {
                let before = try history?.needsValuesOfDeletions(entity) == true ? row(deletion.id, entity) : nil
                let isRemoved = try remove(
                    deletion.id, version: deletion.expectedVersion, entity: entity, into: &conflicts,
                    allowsMissingRow: deletion.allowsMissingRow)
                guard isRemoved, let history else { continue }
                try history.deleted(deletion.id, entity, before: history.valuesOfDeletion(of: before, entity))
            }
            let writer = SQLUpdateWriter(layout: layout, connection: connection, entity: entity)
            defer { writer.finish() }
            for update in entityChanges.updates {
                let before = try history?.needsValuesOfUpdates == true ? row(update.id, entity) : nil
                if update.changedColumns.contains(where: entity.isInUniqueKey) {
                    _ = try remove(
                        update.id, version: update.expectedVersion, entity: entity, into: &conflicts,
                        allowsMissingRow: false)
                    restored.append(
                        (entity, StoredRow(id: update.id, version: update.expectedVersion + 1, values: update.values)))
                } else if try !writer.write(update) {
                    conflicts.append(
                        StoreConflict(
                            entity: entity.name, id: update.id,
                            stored: try connection.storedRow(update.id, of: entity, in: layout)))
                }
                guard let history else { continue }
                let columns = update.changedColumns
                try history.updated(
                    update.id, entity, columns: columns,
                    before: history.values(of: before, columns: columns, entity))
            }
        }
        guard conflicts.isEmpty else { return conflicts }
        for (entity, row) in restored {
            var rows = ChangeSet.EntityChanges()
            rows.insertions = [ChangeSet.Insertion(id: row.id, values: row.values, version: row.version)]
            try insert(rows, entity)
        }
        for entity in layout.model.entities {
            guard let rows = changes.entities[entity.name], !rows.insertions.isEmpty else { continue }
            try insert(rows, entity)
            if let history {
                for row in rows.insertions { try history.inserted(row.id, entity) }
            }
            if let highest = rows.insertions.map(\.id).max() {
                try SQLSequence(entity.name, in: layout, on: connection).raise(above: highest)
            }
        }
        return []
    }

    private func row(_ id: Int64, _ entity: EntityDescription) throws -> StoredRow? {
        try connection.storedRow(id, of: entity, in: layout)
    }

    /// Deletes a row, or adds a conflict.
    ///
    /// - Returns: A Boolean value that indicates whether the row was deleted.
    private func remove(
        _ id: Int64, version: Int64, entity: EntityDescription, into conflicts: inout [StoreConflict],
        allowsMissingRow: Bool
    ) throws -> Bool {
        try connection.run(layout.deletion(entity, checksVersion: true), .integer(id), .integer(version))
        guard connection.changes == 0 else { return true }
        let stored = try row(id, entity)
        if stored == nil, allowsMissingRow { return false }
        conflicts.append(StoreConflict(entity: entity.name, id: id, stored: stored))
        return false
    }

    private func insert(_ rows: ChangeSet.EntityChanges, _ entity: EntityDescription) throws {
        let statement = try connection.statement(layout.insertion(entity))
        defer { statement.reset() }
        for insertion in rows.insertions {
            do {
                defer { statement.rewind() }
                try statement.bind(insertion.id, at: 1)
                try statement.bind(insertion.version, at: 2)
                for index in insertion.values.indices {
                    try statement.bind(insertion.values[index], at: Int32(index) + 3)
                }
                _ = try statement.step()
            } catch let error as PersistenceError where error.code == .uniqueness {
                throw error.namingRow(StoredRow(id: insertion.id, values: insertion.values), entity)
            }
        }
    }

    /// Throws if a reference in the change set is dangling; the commit itself would not identify the reference in its
    /// error.
    func checkReferences(_ changes: ChangeSet) throws {
        for entity in layout.model.entities {
            let isWritten = changes.entities[entity.name].map { !$0.insertions.isEmpty || !$0.updates.isEmpty } ?? false
            for index in entity.columns.indices {
                guard let destination = entity.columns[index].destination else { continue }
                if isWritten {
                    try checkWritten(changes[entity.name], entity: entity, index: index, destination: destination)
                }
                let deletions = changes[destination].deletions
                guard !deletions.isEmpty else { continue }
                // A row that one save deletes and reinserts exists afterwards.
                let back = Set(changes[destination].insertions.map(\.id))
                for deletion in deletions where !back.contains(deletion.id) {
                    try checkDeleted(deletion.id, entity: entity, index: index, destination: destination)
                }
            }
        }
    }

    private func checkWritten(
        _ changes: ChangeSet.EntityChanges, entity: EntityDescription, index: Int, destination: String
    ) throws {
        lazy var sql = layout.existence(destination, isReferredTo: true)
        var known: Set<Int64> = []
        func check(_ id: Int64, _ value: StoredValue) throws {
            guard case .integer(let target) = value, !known.contains(target) else { return }
            guard try connection.number(sql, .integer(target)) != nil else {
                throw PersistenceError.dangling(entity, index, from: id, to: target)
            }
            known.insert(target)
        }
        for row in changes.insertions { try check(row.id, row.values[index]) }
        for update in changes.updates where update.changedColumns.contains(index) {
            try check(update.id, update.values[index])
        }
    }

    private func checkDeleted(_ id: Int64, entity: EntityDescription, index: Int, destination: String) throws {
        guard let owner = try connection.number(layout.owner(ofReference: index, entity), .integer(id)) else { return }
        throw PersistenceError.dangling(entity, index, from: owner, to: id)
    }
}
