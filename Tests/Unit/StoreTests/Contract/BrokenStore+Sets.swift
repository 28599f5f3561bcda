import StrataCore
import StrataPersistence
import StrataStoreKit

/// A transaction that changes rows with sets one by one, and makes the fault's mistake.
final class CarelessSets: PassingTransaction, SetBasedTransaction {
    private let fault: BrokenStore.Fault

    init(_ base: any StoreTransaction, _ fault: BrokenStore.Fault) {
        self.fault = fault
        super.init(base)
    }

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
