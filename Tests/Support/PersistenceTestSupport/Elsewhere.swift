package import StrataPersistence
import StrataStoreKit
import StrataTesting

/// Changes to the store by another writer, bypassing every context.
extension PersistentStoreCoordinator {
    package func deleteTeam(_ id: TeamID) throws {
        let row = try store.rows(StoreRequest("Team")).first { $0.id == id.rawValue }
        var changes = ChangeSet()
        changes["Team"].deletions = [.init(id: id.rawValue, expectedVersion: row?.version ?? 1)]
        _ = try store.save(changes)
    }

    package func changeTeam(_ id: TeamID, _ values: [String: StoredValue]) throws {
        guard var row = try store.rows(StoreRequest("Team")).first(where: { $0.id == id.rawValue }) else { return }
        let entity = try model.entity(named: "Team")
        let places = values.keys.compactMap { entity.columnIndex($0) }.sorted()
        for place in places { row.values[place] = values[entity.columns[place].name] ?? .null }
        var changes = ChangeSet()
        changes["Team"].updates = [
            .init(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: places)
        ]
        _ = try store.save(changes)
    }
}

/// Retains objects between two closures of their context, which holds unchanged ones weakly.
///
/// SAFETY: it is used in the closures of one context only, and those run one after the other.
package final class Keeper: @unchecked Sendable {
    private var objects: [ManagedObject] = []

    package init() {}

    package var kept: [ManagedObject] { objects }

    package func keep(_ object: ManagedObject) { objects.append(object) }

    package func release() { objects = [] }
}
