import Foundation
import StrataCore
import StrataPersistence
import StrataTesting
import Testing

/// Values that a record type computes or changes follow from the other values of their rows, whoever writes the rows.
@Suite("Values that record types compute")
struct ComputedValueTests {
    /// The entity of the first release: a name, and a number that nothing depends on.
    private static func earlier(keyed: Bool = false) -> [EntityDescription] {
        let key = keyed ? [attribute("key", .string)] : []
        return [EntityDescription("Guest", [attribute("name", optional: false), attribute("seats", .integer64)] + key)]
    }

    /// The second release computes a key.
    struct Guest: PersistentRecord {
        let id: RecordID<Guest>
        var name: String
        var seats: Int64?
        var key: String? { name.isEmpty ? nil : name.lowercased() }

        static let entity = RecordEntity<Guest>(
            "Guest", id: \.id,
            [.attribute("name", \.name), .attribute("seats", \.seats), .computed("key", \.key, isUnique: true)],
            rules: .model
        ) { try Guest(id: $0.id(), name: $0.next(), seats: $0.next()) }
    }

    /// The key is mandatory, and computed by other code.
    struct LoudGuest: PersistentRecord {
        let id: RecordID<LoudGuest>
        var name: String
        var seats: Int64?
        var key: String { name.uppercased() }

        static let entity = RecordEntity<LoudGuest>(
            "Guest", id: \.id,
            [.attribute("name", \.name), .attribute("seats", \.seats), .computed("key", \.key, isUnique: true)],
            computationVersion: 2
        ) { try LoudGuest(id: $0.id(), name: $0.next(), seats: $0.next()) }
    }

    /// The initializer changes and rejects names.
    struct NeatGuest: PersistentRecord {
        struct Nameless: Error {}
        let id: RecordID<NeatGuest>
        let name: String
        var seats: Int64?

        init(id: ID, name: String, seats: Int64?) throws {
            if name.isEmpty { throw Nameless() }
            (self.id, self.name, self.seats) = (id, name.capitalized, seats)
        }

        static let entity = RecordEntity<NeatGuest>(
            "Guest", id: \.id, [.attribute("name", \.name), .attribute("seats", \.seats)], computationVersion: 2
        ) { try NeatGuest(id: $0.id(), name: $0.next(), seats: $0.next()) }
    }

    private static func rows(_ names: String..., key: StoredValue? = nil) -> [String: [Int64: [StoredValue]]] {
        let rows = names.enumerated().map { index, name in
            (Int64(index + 1), [.string(name), .null] + [key].compactMap(\.self))
        }
        return ["Guest": Dictionary(uniqueKeysWithValues: rows)]
    }

    private static func column(_ place: Int, _ store: any PersistentStore) throws -> [StoredValue] {
        try store.rows(StoreRequest("Guest")).map { $0.values[place] }
    }

    private static let location = RowLocation(line: 1, record: 1)

    // MARK: Migrations

    @Test("a new computed attribute has a value in each row, and is unique", arguments: StoreKind.allCases)
    func added(_ kind: StoreKind) async throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("Ann", "BOB", ""))
        let model = try ManagedObjectModel(records: [Guest.self])
        let preview = try PersistentContainer.canMigrate(model: model, earlier.description)
        #expect(preview.steps.map(\.description).contains("compute Guest"))
        #expect(preview.violations.isEmpty)
        let container = try PersistentContainer(model: model, earlier.description, mainQueue: .private)
        #expect(try Self.column(2, container.coordinator.store) == [.string("ann"), .string("bob"), .null])
        let records: any RecordContext = container.backgroundContext
        await #expect(throws: PersistenceError.self) {
            try await records.insert(Guest.self) { Guest(id: $0, name: "bob", seats: nil) }
        }
        let wanted: String? = "bob"
        let found = try await records.fetch(FetchRequest<Guest>(where: #Predicate { $0.key == wanted }))
        #expect(found.map(\.name) == ["BOB"])
        try container.close()
        guard kind.isChecked else { return }
        // The store keeps the version, so that opening it again writes nothing.
        #expect(try PersistentContainer.canMigrate(model: model, earlier.description).steps.isEmpty)
        #expect(try Self.faults(model, earlier.description).isEmpty)
    }

    @Test("rows with equal computed values are named, and nothing changes", arguments: StoreKind.allCases)
    func duplicates(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("Ann", "ANN"))
        let error = #expect(throws: PersistenceError.self) {
            try earlier.open(try ManagedObjectModel(records: [Guest.self]))
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.entity == "Guest" && error?.attribute == "key")
        #expect(try earlier.open(Self.earlier()).values("Guest").count == 2)
    }

    @Test("code of another version computes the values again", arguments: StoreKind.allCases)
    func anotherVersion(_ kind: StoreKind) throws {
        let first = try ManagedObjectModel(records: [Guest.self])
        let earlier = try EarlierStore(
            kind, first, rows: ["Guest": [1: [.string("Ann"), .null, .string("ann")]]])
        let store = try earlier.open(try ManagedObjectModel(records: [LoudGuest.self]))
        #expect(try Self.column(2, store) == [.string("ANN")])
        try store.close()
    }

    @Test("a mandatory computed attribute can be added", arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("Ann"))
        let store = try earlier.open(try ManagedObjectModel(records: [LoudGuest.self]))
        #expect(try Self.column(2, store) == [.string("ANN")])
        try store.close()
    }

    @Test("an attribute that a program without the code wrote is computed again", arguments: [StoreKind.sqlite, .xml])
    func writtenWithoutTheCode(_ kind: StoreKind) throws {
        let model = try ManagedObjectModel(records: [Guest.self])
        let earlier = try EarlierStore(kind, model)
        // A model file has no code.
        let store = try earlier.open(
            Self.earlier(keyed: true).map { entity in
                EntityDescription(
                    entity.name,
                    entity.properties.map { property in
                        guard case .attribute(var attribute) = property, attribute.name == "key" else {
                            return property
                        }
                        attribute.isUnique = true
                        return .attribute(attribute)
                    })
            })
        try store.batchWrite { writer in
            try writer.inserter(of: "Guest").insert(
                values: [.string("Cy"), .null, .string("stale")], location: Self.location)
        }
        try store.close()
        let again = try earlier.open(model)
        #expect(try Self.column(2, again) == [.string("cy")])
        try again.close()
    }

    @Test("a stage with code makes rows whose values are computed", arguments: StoreKind.allCases)
    func stage(_ kind: StoreKind) throws {
        let first = try ManagedObjectModel(Self.earlier())
        let earlier = try EarlierStore(kind, first, rows: Self.rows("Ann"))
        let second = try ManagedObjectModel(records: [Guest.self])
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", first), ModelVersion("2", second)],
            stages: [
                .custom(
                    from: "1", to: "2",
                    [
                        EntityTransform("Guest") { _, new, _ in
                            try new.set("name", to: "Eve")
                            return .keep
                        }
                    ],
                    finish: { try $0.insert("Guest", ["name": "Fay"]) })
            ])
        let container = try PersistentContainer(model: second, description, mainQueue: .private)
        #expect(try Self.column(2, container.coordinator.store) == [.string("eve"), .string("fay")])
        try container.close()
    }

    @Test("a row that the initializer rejects is named, or stays", arguments: StoreKind.allCases)
    func rejected(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("ann", ""))
        let model = try ManagedObjectModel(records: [NeatGuest.self])
        let error = #expect(throws: PersistenceError.self) { try earlier.open(model) }
        #expect(error?.code == .validation && error?.id == 2)
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        let store = try earlier.open(model, options)
        #expect(try Self.column(0, store) == [.string("Ann"), .string("")])
        try store.close()
    }

    // MARK: Bulk writes and batches

    private static func container(_ kind: StoreKind, _ type: any PersistentRecord.Type) throws -> (
        PersistentContainer, EarlierStore
    ) {
        let model = try ManagedObjectModel(records: [type])
        let store = try EarlierStore(kind, model)
        return (try PersistentContainer(model: model, store.description, mainQueue: .private), store)
    }

    @Test("a bulk write stores the values that records store", arguments: StoreKind.allCases)
    func bulkWrite(_ kind: StoreKind) throws {
        let (guests, first) = try Self.container(kind, LoudGuest.self)
        try guests.batchInsert(into: "Guest") { inserter in
            try inserter.insert(values: [.string("ann"), .null, .null], location: Self.location)
            var block = RowBlock(of: inserter.entity)
            block.beginRow(id: nil, location: Self.location)
            block.set(.string("bob"), column: 0)
            try inserter.insert(&block)
        }
        #expect(try Self.column(2, guests.coordinator.store) == [.string("ANN"), .string("BOB")])
        // A row that keeps values of a stored one is completed at the end.
        var options = InsertOptions()
        options.onConflict = .update
        try guests.batchInsert(into: "Guest", options) { inserter in
            var block = RowBlock(of: inserter.entity)
            block.beginRow(id: 2, location: Self.location)
            block.set(.string("bo"), column: 0)
            try inserter.insert(&block)
        }
        #expect(try Self.column(2, guests.coordinator.store) == [.string("ANN"), .string("BO")])
        try guests.close()
        let (neat, second) = try Self.container(kind, NeatGuest.self)
        try neat.batchInsert(into: "Guest") {
            try $0.insert(values: [.string("ann"), .null], location: Self.location)
        }
        #expect(try Self.column(0, neat.coordinator.store) == [.string("Ann")])
        try neat.close()
        withExtendedLifetime((first, second)) {}
    }

    @Test("a batch update stores the values that records store", arguments: StoreKind.allCases)
    func batchUpdate(_ kind: StoreKind) throws {
        let (guests, first) = try Self.container(kind, Guest.self)
        try guests.batchInsert(into: "Guest") {
            try $0.insert(values: [.string("ann"), .null, .null], location: Self.location)
        }
        try guests.batchUpdate("Guest", set: ["name": .constant(.string("EVE"))])
        #expect(try Self.column(2, guests.coordinator.store) == [.string("eve")])
        try guests.close()
        let (neat, second) = try Self.container(kind, NeatGuest.self)
        try neat.batchInsert(into: "Guest") {
            try $0.insert(values: [.string("ann"), .null], location: Self.location)
        }
        try neat.batchUpdate("Guest", set: ["name": .constant(.string("eve"))])
        #expect(try Self.column(0, neat.coordinator.store) == [.string("Eve")])
        try neat.close()
        withExtendedLifetime((first, second)) {}
    }

    @Test("a merge of two saves computes the value from the merged row", arguments: StoreKind.allCases)
    func merged(_ kind: StoreKind) async throws {
        let (container, store) = try Self.container(kind, Pair.self)
        let (one, two) = (
            container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump),
            container.newBackgroundContext(mergePolicy: .mergeByPropertyStoreTrump)
        )
        let records: any RecordContext = one
        let pair = try await records.insert(Pair.self) { Pair(id: $0, left: "a", right: "b") }
        try await one.perform { context in
            try context.existingObject(with: pair.id, of: Pair.self).left = "x"
        }
        try await two.perform { context in
            try context.existingObject(with: pair.id, of: Pair.self).right = "y"
        }
        try await one.perform { try $0.save() }
        try await two.perform { try $0.save() }
        #expect(
            try container.coordinator.store.rows(StoreRequest("Pair")).map(\.values) == [
                [.string("x"), .string("y"), .string("xy")]
            ])
        try container.close()
        withExtendedLifetime(store) {}
    }

    struct Pair: PersistentRecord {
        let id: RecordID<Pair>
        var left: String
        var right: String
        var both: String { left + right }

        static let entity = RecordEntity<Pair>(
            "Pair", id: \.id, [.attribute("left", \.left), .attribute("right", \.right), .computed("both", \.both)]
        ) { try Pair(id: $0.id(), left: $0.next(), right: $0.next()) }
    }

    // MARK: Checks

    private static func faults(
        _ model: ManagedObjectModel, _ description: PersistentStoreDescription, repairs: Bool = false
    ) throws -> [StoreFault] {
        var faults: [StoreFault] = []
        var options = StoreCheckOptions()
        options.repairs = repairs
        try PersistentContainer.check(model: model, description, options: options) { faults.append($0) }
        return faults
    }

    @Test("a check finds other values than those of records, and a repair writes these", arguments: StoreKind.allCases)
    func checked(_ kind: StoreKind) throws {
        guard kind.isChecked else { return }
        let stale: [String: [Int64: [StoredValue]]] = [
            "Guest": [1: [.string("Ann"), .null, .string("other")], 2: [.string("Bob"), .null, .null]]
        ]
        let model = try ManagedObjectModel(records: [Guest.self])
        let store = try EarlierStore(kind, model, rows: stale)
        let faults = try Self.faults(model, store.description)
        #expect(faults.map(\.attribute) == ["key", "key"])
        #expect(faults.allSatisfy { $0.kind == .rule && $0.isRepairable })
        #expect(try Self.faults(model, store.description, repairs: true).isEmpty)
        let repaired = try store.open(model)
        #expect(try Self.column(2, repaired) == [.string("ann"), .string("bob")])
        try repaired.close()
        let neat = try ManagedObjectModel(records: [NeatGuest.self])
        let second = try EarlierStore(kind, neat, rows: Self.rows("ann", ""))
        #expect(try Self.faults(neat, second.description).map(\.attribute) == ["name", nil])
        // The row that the initializer rejects is left.
        #expect(try Self.faults(neat, second.description, repairs: true).map(\.id) == [2])
    }
}
