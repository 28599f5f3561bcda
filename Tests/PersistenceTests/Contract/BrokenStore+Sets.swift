import StrataCore
import StrataPersistence

/// Changes rows by sets, one by one, and makes a mistake.
final class CarelessSets: SetBasedTransaction {
    private let base: any StoreTransaction
    private let fault: BrokenStore.Fault

    init(_ base: any StoreTransaction, _ fault: BrokenStore.Fault) {
        self.base = base
        self.fault = fault
    }

    var model: ManagedObjectModel { base.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try base.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try base.count(request) }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try base.openCursor(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try base.joins(request, body)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try base.save(changes) }

    func update(_ update: ResolvedUpdate) throws -> [Int64] {
        var changes = ChangeSet()
        for row in try rows(update.entity, update.condition) {
            var values = row.values
            for assignment in update.assignments { values[assignment.column] = assignment.value.constant ?? .null }
            if values == row.values, fault != .setsRaiseEveryVersion { continue }
            changes[update.entity.name].updates.append(
                .init(
                    id: row.id, expectedVersion: row.version, values: values,
                    changedColumns: update.assignments.map(\.column)))
        }
        try write(changes)
        return changes[update.entity.name].updates.map(\.id)
    }

    func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64] {
        var changes = ChangeSet()
        let rows = try rows(entity, fault == .setsForgetConditions ? nil : condition)
        changes[entity.name].deletions = rows.map { .init(id: $0.id, expectedVersion: $0.version) }
        try write(changes)
        return rows.map(\.id)
    }

    private func rows(_ entity: EntityDescription, _ condition: ResolvedCondition?) throws -> [StoredRow] {
        try base.rows(StoreRequest(entity.name, where: condition?.source))
    }

    private func write(_ changes: ChangeSet) throws {
        do { _ = try base.save(changes) } catch  where fault == .setsSwallowErrors {}
    }
}
