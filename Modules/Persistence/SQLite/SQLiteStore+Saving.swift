import CStrataSQLite
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Writes a set of changes in one transaction.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        return try withWriter { connection in
            let saving = SQLiteSaving(layout: layout, connection: connection)
            defer { commits.withLock { $0.count(changes) } }
            do {
                try connection.inTransaction { try saving.save(changes) }
                return []
            } catch let found as ConflictsFound {
                return found.conflicts
            }
        }
    }

    /// Takes the next identifiers in a short transaction of its own, so that they are never given twice between processes.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        _ = try model.entity(named: entity)
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) identifiers asked for; at least 1", entity: entity)
        }
        return try withWriter { connection in
            try connection.inTransaction {
                let sequence = SQLiteSequence(entity, layout, connection)
                let first = try sequence.next()
                let last = first.addingReportingOverflow(Int64(count) - 1)
                guard !last.overflow, identifierRange.contains(first), identifierRange.contains(last.partialValue)
                else {
                    throw PersistenceError.identifiersExhausted(entity)
                }
                try sequence.raise(above: last.partialValue)
                return first...last.partialValue
            }
        }
    }
}

/// Ends the transaction of a save that met rows of other versions.
struct ConflictsFound: Error {
    let conflicts: [StoreConflict]
}

/// The mark above which no identifier of an entity was given.
struct SQLiteSequence {
    private let entity: String
    private let layout: SQLLayout
    private let connection: SQLiteConnection

    init(_ entity: String, _ layout: SQLLayout, _ connection: SQLiteConnection) {
        (self.entity, self.layout, self.connection) = (entity, layout, connection)
    }

    func next() throws -> Int64 { try connection.number(layout.markSelection, .string(entity)) ?? 1 }

    func raise(above id: Int64) throws {
        try connection.run(layout.markUpsert, .string(entity), .integer(id + 1))
    }
}

/// Writes one change set inside a transaction: deletions, then updates, then insertions.
struct SQLiteSaving {
    let layout: SQLLayout
    let connection: SQLiteConnection

    /// Writes all of a change set.
    ///
    /// - Throws: ``ConflictsFound``, or why it cannot be written; a part of it may be written then.
    func save(_ changes: ChangeSet) throws {
        let conflicts = try write(changes)
        if !conflicts.isEmpty { throw ConflictsFound(conflicts: conflicts) }
        try writeJoins(changes)
        try checkReferences(changes)
        try checkJoins(changes)
    }

    func write(_ changes: ChangeSet) throws -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        // Rows whose unique values change are taken out first and put back last, so that two rows can exchange theirs.
        var putBack: [(EntityDescription, StoredRow)] = []
        for entity in layout.model.entities {
            guard let entityChanges = changes.entities[entity.name] else { continue }
            for deletion in entityChanges.deletions {
                try remove(
                    deletion.id, version: deletion.expectedVersion, entity: entity, into: &conflicts,
                    isGoneAllowed: deletion.isGoneAllowed)
            }
            let writer = UpdateWriter(layout: layout, connection: connection, entity: entity)
            defer { writer.finish() }
            for update in entityChanges.updates {
                if update.changedColumns.contains(where: entity.isInUniqueKey) {
                    try remove(
                        update.id, version: update.expectedVersion, entity: entity, into: &conflicts,
                        isGoneAllowed: false)
                    putBack.append(
                        (entity, StoredRow(id: update.id, version: update.expectedVersion + 1, values: update.values)))
                } else if try !writer.write(update) {
                    conflicts.append(
                        StoreConflict(entity: entity.name, id: update.id, stored: try row(update.id, entity)))
                }
            }
        }
        guard conflicts.isEmpty else { return conflicts }
        for (entity, row) in putBack {
            var rows = ChangeSet.EntityChanges()
            rows.insertions = [ChangeSet.Insertion(id: row.id, values: row.values, version: row.version)]
            try insert(rows, entity)
        }
        for entity in layout.model.entities {
            guard let rows = changes.entities[entity.name], rows.hasInsertions else { continue }
            try insert(rows, entity)
            if let highest = rows.insertedIDs.max() {
                try SQLiteSequence(entity.name, layout, connection).raise(above: highest)
            }
        }
        return []
    }

    private func remove(
        _ id: Int64, version: Int64, entity: EntityDescription, into conflicts: inout [StoreConflict],
        isGoneAllowed: Bool
    ) throws {
        try connection.run(layout.deletion(entity, checksVersion: true), .integer(id), .integer(version))
        guard connection.changes == 0 else { return }
        let stored = try row(id, entity)
        if stored == nil, isGoneAllowed { return }
        conflicts.append(StoreConflict(entity: entity.name, id: id, stored: stored))
    }

    private func insert(_ rows: ChangeSet.EntityChanges, _ entity: EntityDescription) throws {
        let statement = try connection.statement(layout.insertion(entity))
        defer { statement.reset() }
        try rows.eachInsertion { insertion in
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

    private func row(_ id: Int64, _ entity: EntityDescription) throws -> StoredRow? {
        let statement = try connection.statement(layout.selection(entity))
        defer { statement.reset() }
        try statement.bind([.integer(id)])
        guard try statement.step() else { return nil }
        let source = SQLiteRowSource(statement, entity, isAscending: false)
        try source.stand()
        return StoredRow(
            id: source.id, version: source.version, values: try entity.columns.indices.map { try source.value(at: $0) })
    }

    /// Looks for references without a destination before the commit would refuse them without saying which.
    func checkReferences(_ changes: ChangeSet) throws {
        for entity in layout.model.entities {
            let isWritten = changes.entities[entity.name].map { $0.hasInsertions || !$0.updates.isEmpty } ?? false
            for index in entity.columns.indices {
                guard let destination = entity.columns[index].destination else { continue }
                if isWritten {
                    try checkWritten(changes[entity.name], entity: entity, index: index, destination: destination)
                }
                let gone = changes[destination].deletions
                guard !gone.isEmpty else { continue }
                // A row that is deleted and inserted again in one save is there afterwards.
                let back = Set(changes[destination].insertedIDs)
                for deletion in gone where !back.contains(deletion.id) {
                    try checkDeleted(deletion.id, entity: entity, index: index, destination: destination)
                }
            }
        }
    }

    private func checkWritten(
        _ changes: ChangeSet.EntityChanges, entity: EntityDescription, index: Int, destination: String
    ) throws {
        let sql = layout.existence(destination)
        var known: Set<Int64> = []
        func check(_ id: Int64, _ value: StoredValue) throws {
            guard case .integer(let target) = value, !known.contains(target) else { return }
            guard try connection.number(sql, .integer(target)) != nil else {
                throw PersistenceError.dangling(entity, index, from: id, to: target)
            }
            known.insert(target)
        }
        try changes.eachInsertedValue(column: index, check)
        for update in changes.updates where update.changedColumns.contains(index) {
            try check(update.id, update.values[index])
        }
    }

    private func checkDeleted(_ id: Int64, entity: EntityDescription, index: Int, destination: String) throws {
        guard let owner = try connection.number(layout.owner(ofReference: index, entity), .integer(id)) else { return }
        throw PersistenceError.dangling(entity, index, from: owner, to: id)
    }
}

/// Writes the updates of one entity; those that follow each other and change the same columns share a statement.
private final class UpdateWriter {
    private let layout: SQLLayout
    private let connection: SQLiteConnection
    private let entity: EntityDescription
    private var prepared: (columns: [Int], statement: SQLiteStatement)?

    init(layout: SQLLayout, connection: SQLiteConnection, entity: EntityDescription) {
        self.layout = layout
        self.connection = connection
        self.entity = entity
    }

    /// False when there is no row of the expected version.
    func write(_ update: ChangeSet.Update) throws -> Bool {
        let statement = try statement(update.changedColumns)
        defer { statement.rewind() }
        var parameter: Int32 = 1
        for column in update.changedColumns {
            try statement.bind(update.values[column], at: parameter)
            parameter += 1
        }
        try statement.bind(update.id, at: parameter)
        try statement.bind(update.expectedVersion, at: parameter + 1)
        while try statement.step() {}
        return connection.changes > 0
    }

    /// Frees the statement.
    func finish() {
        prepared?.statement.reset()
        prepared = nil
    }

    private func statement(_ columns: [Int]) throws -> SQLiteStatement {
        if let prepared, prepared.columns == columns { return prepared.statement }
        finish()
        let statement = try connection.statement(layout.update(columns, of: entity, checksVersion: true))
        prepared = (columns, statement)
        return statement
    }
}
