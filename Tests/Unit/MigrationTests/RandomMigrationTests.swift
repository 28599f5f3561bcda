import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import Testing

/// Random models with random rows that are edited at random: the migrated store must have the rows of dictionaries.
@Suite("Random model changes")
struct RandomMigrationTests {
    @Test(
        "a store migrated after random edits has the expected rows", arguments: StoreKind.allCases,
        Seeds.first(12, of: Seeds.areAll ? 0..<UInt64(1_500) : 0..<10_000))
    func walk(_ kind: StoreKind, _ seed: UInt64) throws {
        var world = MigrationWorld(seed: seed)
        let old = world
        let earlier = try EarlierStore(kind, try old.model(), rows: try old.storedRows(), pairs: try old.storedPairs())
        defer { withExtendedLifetime(earlier) {} }
        for _ in 0..<Int.random(in: 1...8, using: &world.random) { world.edit() }
        let model = try world.model()
        var options = MigrationOptions()
        options.drops = .everything
        let store = try earlier.open(model, options)
        let (found, expected) = (try store.contents(), try world.storedRows())
        for (entity, rows) in expected { #expect(found[entity] == rows, "seed \(seed)") }
        #expect(found.count == expected.count, "seed \(seed)")
        for relation in world.relations where relation.isMany {
            #expect(
                try world.pairs(of: relation, in: store, model) == world.links[relation.key, default: []],
                "seed \(seed)")
        }
        try store.close()
        guard kind != .inMemory else { return }
        // Opening it once more needs no migration.
        #expect(
            try PersistentContainer.canMigrate(model: model, earlier.description).steps.isEmpty, "seed \(seed)")
        guard kind.isChecked else { return }
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: model, earlier.description) { faults.append($0) }
        #expect(faults.isEmpty, "seed \(seed)")
    }
}

extension PersistentStore {
    fileprivate func contents() throws -> [String: [Int64: [StoredValue]]] {
        Dictionary(uniqueKeysWithValues: try model.entities.map { ($0.name, try values($0.name)) })
    }
}

extension MigrationWorld {
    /// Returns the expected rows as a store has them.
    func storedRows() throws -> [String: [Int64: [StoredValue]]] {
        let model = try model()
        var stored: [String: [Int64: [StoredValue]]] = [:]
        for entity in entities {
            let columns = try model.entity(named: entity.names[0]).columns.map(\.name)
            stored[entity.names[0]] = Dictionary(
                uniqueKeysWithValues: rows[entity.key, default: [:]].map { id, values in
                    (id, columns.map { value(of: $0, in: entity, values, id) })
                })
        }
        return stored
    }

    private func value(of column: String, in entity: Entity, _ values: [Int: StoredValue], _ id: Int64) -> StoredValue {
        if let attribute = entity.attributes.first(where: { $0.names[0] == column }) {
            return values[attribute.key] ?? .null
        }
        for relation in relations {
            if relation.owner == entity.key, relation.names[0] == column {
                return links[relation.key]?.first { $0[0] == id }.map { .integer($0[1]) } ?? .null
            }
            if relation.target == entity.key, relation.inverseNames[0] == column {
                return links[relation.key]?.first { $0[1] == id }.map { .integer($0[0]) } ?? .null
            }
        }
        return .null
    }

    /// Returns the expected join rows as a store has them.
    func storedPairs() throws -> [String: [JoinRow]] {
        let model = try model()
        var stored: [String: [JoinRow]] = [:]
        for relation in relations where relation.isMany {
            guard let (join, isSource) = model.join(of: relation.names[0], in: name(relation.owner)) else { continue }
            stored[join.name] = links[relation.key, default: []].map { link in
                JoinRow(JoinPair(source: link[isSource ? 0 : 1], target: link[isSource ? 1 : 0]))
            }
        }
        return stored
    }

    private func name(_ entity: Int) -> String { entities.first { $0.key == entity }?.names[0] ?? "" }

    /// Returns the related objects by owner in a store.
    func pairs(of relation: Relation, in store: any PersistentStore, _ model: ManagedObjectModel) throws -> Set<[Int64]>
    {
        guard let (join, isSource) = model.join(of: relation.names[0], in: name(relation.owner)) else { return [] }
        return Set(
            try store.joins(JoinRequest(join.name)).map { row in
                isSource ? [row.pair.source, row.pair.target] : [row.pair.target, row.pair.source]
            })
    }
}
