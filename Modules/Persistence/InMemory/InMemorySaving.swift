import StrataCore
import StrataStoreKit

/// A save of one change set to an in-memory store; it checks all changes before it writes any of them.
///
/// The checks and the changes run under the lock of the state, or on a copy of it. Uniqueness and references are
/// checked in the state after all changes, so that a change set can exchange unique values, or delete a row with all
/// rows that reference it.
struct InMemorySaving {
    let model: ManagedObjectModel
    let changes: ChangeSet
    let examined: ScannedRowCount

    /// Returns a conflict for each row that does not have the expected version.
    func conflicts(in tables: [String: InMemoryTable]) -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        for entity in model.entities {
            guard let entityChanges = changes.entities[entity.name], let table = tables[entity.name] else { continue }
            for deletion in entityChanges.deletions {
                let row = table.row(deletion.id)
                guard row.map({ $0.version != deletion.expectedVersion }) ?? !deletion.allowsMissingRow else {
                    continue
                }
                conflicts.append(StoreConflict(entity: entity.name, id: deletion.id, stored: row))
            }
            for update in entityChanges.updates {
                let row = table.row(update.id)
                if row?.version == update.expectedVersion { continue }
                conflicts.append(StoreConflict(entity: entity.name, id: update.id, stored: row))
            }
        }
        return conflicts
    }

    /// Throws an error if an identifier or a unique value exists already, or if a reference would be dangling.
    func check(_ tables: [String: InMemoryTable]) throws {
        for entity in model.entities {
            guard let table = tables[entity.name] else { continue }
            if let entityChanges = changes.entities[entity.name] {
                try checkIdentifiers(entityChanges, entity: entity, table: table)
                for (key, owners) in zip(entity.uniqueKeys, table.owners) {
                    try checkUniqueness(entityChanges, entity: entity, key: key, owners: owners)
                }
            }
            try checkReferences(entity, table: table, tables: tables)
        }
        try checkJoins(tables)
    }

    private func checkJoins(_ tables: [String: InMemoryTable]) throws {
        for join in model.joins {
            guard let added = changes.joins[join.name]?.added, !added.isEmpty else { continue }
            let (sources, targets) = (remaining(join.sourceEntity, tables), remaining(join.targetEntity, tables))
            for pair in added.map({ join.kept($0.pair) }) {
                if !targets(pair.target) { throw PersistenceError.dangling(join, pair, isTargetMissing: true) }
                if !sources(pair.source) { throw PersistenceError.dangling(join, pair, isTargetMissing: false) }
            }
        }
    }

    /// Returns a predicate for the rows of an entity that exist after the save.
    private func remaining(_ entity: String, _ tables: [String: InMemoryTable]) -> (Int64) -> Bool {
        let inserted = Set(changes[entity].insertions.map(\.id))
        let deleted = Set(changes[entity].deletions.map(\.id)).subtracting(inserted)
        let table = tables[entity]
        return { inserted.contains($0) || (!deleted.contains($0) && table?.index(of: $0) != nil) }
    }

    private func checkIdentifiers(
        _ entityChanges: ChangeSet.EntityChanges, entity: EntityDescription, table: InMemoryTable
    ) throws {
        let deleted = Set(entityChanges.deletions.map(\.id))
        var seen: Set<Int64> = []
        for insertion in entityChanges.insertions {
            let isTaken = table.index(of: insertion.id) != nil && !deleted.contains(insertion.id)
            if isTaken || !seen.insert(insertion.id).inserted {
                throw PersistenceError.taken(entity, insertion.id)
            }
        }
    }

    private func checkUniqueness(
        _ entityChanges: ChangeSet.EntityChanges, entity: EntityDescription, key: UniqueKey,
        owners: [UniqueValue: Int64]
    ) throws {
        // Deleted rows, and rows whose values in the key's columns change, release their values.
        var released = Set(entityChanges.deletions.map(\.id))
        let updates = entityChanges.updates.filter { $0.changedColumns.contains(where: key.columns.contains) }
        for update in updates { released.insert(update.id) }
        var seen: Set<UniqueValue> = []
        for (id, values) in updates.map({ ($0.id, $0.values) }) + entityChanges.insertions.map({ ($0.id, $0.values) }) {
            guard let value = key.value(of: values) else { continue }
            let isTaken = owners[value].map { !released.contains($0) } ?? false
            if isTaken || !seen.insert(value).inserted {
                throw PersistenceError.taken(entity, key: key, value: value, by: id)
            }
        }
    }

    private func checkReferences(
        _ entity: EntityDescription, table: InMemoryTable, tables: [String: InMemoryTable]
    ) throws {
        for index in entity.columns.indices {
            guard let destination = entity.columns[index].destination else { continue }
            let inserted = Set(changes[destination].insertions.map(\.id))
            let deleted = Set(changes[destination].deletions.map(\.id)).subtracting(inserted)
            let exists = remaining(destination, tables)
            let entityChanges = changes[entity.name]
            let written =
                entityChanges.insertions.map { ($0.id, $0.values) } + entityChanges.updates.map { ($0.id, $0.values) }
            for (id, values) in written {
                if case .integer(let target) = values[index], !exists(target) {
                    throw PersistenceError.dangling(entity, index, from: id, to: target)
                }
            }
            guard !deleted.isEmpty else { continue }
            let replaced = Set(written.map(\.0) + entityChanges.deletions.map(\.id))
            // The error names the row with the lowest identifier, independently of the order of the deletions.
            var first: (id: Int64, target: Int64)?
            for target in deleted {
                let referring = table.identifiers(referringTo: target, in: index)
                examined.add(referring.count)
                guard let id = referring.first(where: { !replaced.contains($0) }) else { continue }
                if first.map({ id < $0.id }) ?? true { first = (id, target) }
            }
            if let first { throw PersistenceError.dangling(entity, index, from: first.id, to: first.target) }
        }
    }

    /// Writes the changes of rows, after all checks: deletions, then updates, then insertions.
    func apply(to tables: inout [String: InMemoryTable]) {
        for (name, entityChanges) in changes.entities {
            if !entityChanges.deletions.isEmpty { tables[name]?.remove(Set(entityChanges.deletions.map(\.id))) }
            for update in entityChanges.updates {
                guard var row = tables[name]?.row(update.id) else { continue }
                for index in update.changedColumns { row.values[index] = update.values[index] }
                row.version += 1
                tables[name]?.replace(row)
            }
            tables[name]?.deferIndexes()
            for insertion in entityChanges.insertions {
                tables[name]?.insert(
                    StoredRow(id: insertion.id, version: insertion.version, values: insertion.values))
            }
            tables[name]?.buildIndexes()
        }
    }

    /// Removes the join rows of deleted rows, then the removed join rows, and then adds the new ones.
    func apply(to joins: inout [String: InMemoryJoinTable]) {
        for (entity, entityChanges) in changes.entities where !entityChanges.deletions.isEmpty {
            for join in model.joins(touching: entity) {
                for deletion in entityChanges.deletions { joins[join.name]?.remove(deletion.id, of: entity) }
            }
        }
        for (name, joinChanges) in changes.joins {
            for pair in joinChanges.removed { joins[name]?.remove(pair) }
            for row in joinChanges.added { joins[name]?.add(row) }
        }
    }
}
