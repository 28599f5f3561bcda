import StrataCore
import StrataStoreKit

/// The content of a store as one value, so that a snapshot is a copy and a transaction commits by replacing the store's
/// value.
struct Database: Sendable {
    let model: ManagedObjectModel
    var tables: [String: Table]
    /// The join rows of each join table in their stored direction.
    var pairs: [String: [JoinPair: JoinRow]] = [:]
    var metadata: [String: String] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
        tables = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, Table($0)) })
    }

    func row(_ id: Int64, of entity: String) -> StoredRow? { tables[entity]?.rows[id] }

    mutating func add(_ row: JoinRow, to join: JoinDescription) {
        let row = join.kept(row)
        pairs[join.name, default: [:]][row.pair] = row
    }

    /// Removes a row and its join rows.
    mutating func remove(_ id: Int64, of entity: String) {
        tables[entity]?.remove(id)
        for join in model.joins(touching: entity) {
            pairs[join.name] = pairs[join.name]?.filter { pair, _ in
                !(join.sourceEntity == entity && pair.source == id || join.targetEntity == entity && pair.target == id)
            }
        }
    }

    /// Reserves the next identifiers of an entity.
    mutating func reserve(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        guard count >= 1 else {
            throw PersistenceError(
                .invalidRequest, "\(count) identifiers were requested; at least 1 is required", entity: entity)
        }
        let first = tables[try model.entity(named: entity).name]?.nextID ?? identifierRange.lowerBound
        let (last, isOverflow) = first.addingReportingOverflow(Int64(count) - 1)
        guard !isOverflow, identifierRange.contains(first), identifierRange.contains(last) else {
            throw PersistenceError.identifiersExhausted(entity)
        }
        tables[entity]?.nextID = last + 1
        return first...last
    }

    // MARK: Saving

    /// Writes a set of changes, or none of them if it throws or finds conflicts.
    mutating func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        let conflicts = conflicts(with: changes)
        guard conflicts.isEmpty else { return conflicts }
        // The changes apply to a copy, because the state after all changes is validated.
        var next = self
        for entity in model.entities { try next.write(changes[entity.name], of: entity) }
        for join in model.joins {
            for pair in changes.joins[join.name]?.removed ?? [] { next.pairs[join.name]?[join.kept(pair)] = nil }
            for row in changes.joins[join.name]?.added ?? [] { next.add(row, to: join) }
        }
        try next.checkReferences(touchedBy: changes)
        self = next
        return []
    }

    private func conflicts(with changes: ChangeSet) -> [StoreConflict] {
        model.entities.flatMap { entity in
            let changes = changes[entity.name]
            let deleted = changes.deletions.compactMap { deletion -> StoreConflict? in
                let row = row(deletion.id, of: entity.name)
                if row.map({ $0.version == deletion.expectedVersion }) ?? deletion.allowsMissingRow { return nil }
                return StoreConflict(entity: entity.name, id: deletion.id, stored: row)
            }
            let updated = changes.updates.compactMap { update -> StoreConflict? in
                let row = row(update.id, of: entity.name)
                if row?.version == update.expectedVersion { return nil }
                return StoreConflict(entity: entity.name, id: update.id, stored: row)
            }
            return deleted + updated
        }
    }

    private mutating func write(_ changes: ChangeSet.EntityChanges, of entity: EntityDescription) throws {
        for deletion in changes.deletions { remove(deletion.id, of: entity.name) }
        guard var table = tables[entity.name] else { return }
        let changed = changes.updates.compactMap { update -> StoredRow? in
            guard var row = table.rows[update.id] else { return nil }
            for column in update.changedColumns { row.values[column] = update.values[column] }
            row.version += 1
            return row
        }
        // Values may move between rows, so all changed rows release their values before any row is stored.
        for row in changed { table.remove(row.id) }
        for row in changed {
            try table.checkUniqueness(of: row, isNew: true)
            table.put(row)
        }
        for insertion in changes.insertions {
            let row = StoredRow(id: insertion.id, version: insertion.version, values: insertion.values)
            try table.checkUniqueness(of: row, isNew: true)
            table.put(row)
        }
        tables[entity.name] = table
    }

    private func checkReferences(touchedBy changes: ChangeSet) throws {
        for entity in model.entities {
            guard let table = tables[entity.name] else { continue }
            for row in table.rows.values {
                if let (column, target) = missingReference(of: row, in: table) {
                    throw PersistenceError.dangling(entity, column, from: row.id, to: target)
                }
            }
        }
        for join in model.joins {
            for row in changes.joins[join.name]?.added ?? [] {
                if let isTargetMissing = missingEnd(of: join.kept(row.pair), in: join) {
                    throw PersistenceError.dangling(join, join.kept(row.pair), isTargetMissing: isTargetMissing)
                }
            }
        }
    }

    /// Returns the first column of a row whose reference is dangling, and the missing target.
    func missingReference(of row: StoredRow, in table: Table) -> (column: Int, target: Int64)? {
        for column in table.references {
            guard case .integer(let target) = row.values[column],
                let destination = table.entity.columns[column].destination,
                self.row(target, of: destination) == nil
            else { continue }
            return (column, target)
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether the missing end of a join row is the target, or `nil` if both
    /// ends exist.
    func missingEnd(of pair: JoinPair, in join: JoinDescription) -> Bool? {
        if row(pair.target, of: join.targetEntity) == nil { return true }
        return row(pair.source, of: join.sourceEntity) == nil ? false : nil
    }
}
