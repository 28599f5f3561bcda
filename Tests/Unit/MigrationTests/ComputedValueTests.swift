import Foundation
import StrataCore
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Values that a record type computes or changes depend on the other values of their rows, for every kind of write.
@Suite("Values that record types compute")
struct ComputedValueTests {
    /// Returns the entity of the first release: a name, and a number that no value depends on.
    private static func earlier(keyed: Bool = false) -> [EntityDescription] {
        let key = keyed ? [attribute("key", .string)] : []
        return [EntityDescription("Guest", [attribute("name", optional: false), attribute("seats", .integer64)] + key)]
    }

    /// The record of the second release, which computes a key.
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

    /// A record with a mandatory key that other code computes.
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

    /// A record whose initializer changes and rejects names.
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

    @Test("a migration fills a new unique computed attribute in each row", arguments: StoreKind.allCases)
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
        // The store records the version of the code, so that opening it again writes nothing.
        #expect(try PersistentContainer.canMigrate(model: model, earlier.description).steps.isEmpty)
        #expect(try Self.faults(model, earlier.description).isEmpty)
    }

    @Test(
        "rows with equal unique computed values are reported, and the store is unchanged", arguments: StoreKind.allCases
    )
    func duplicates(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("Ann", "ANN"))
        let error = #expect(throws: PersistenceError.self) {
            try earlier.open(try ManagedObjectModel(records: [Guest.self]))
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.entity == "Guest" && error?.attribute == "key")
        #expect(try earlier.open(Self.earlier()).values("Guest").count == 2)
    }

    @Test("a changed version of the computing code recomputes the stored values", arguments: StoreKind.allCases)
    func anotherVersion(_ kind: StoreKind) throws {
        let first = try ManagedObjectModel(records: [Guest.self])
        let earlier = try EarlierStore(
            kind, first, rows: ["Guest": [1: [.string("Ann"), .null, .string("ann")]]])
        let store = try earlier.open(try ManagedObjectModel(records: [LoudGuest.self]))
        #expect(try Self.column(2, store) == [.string("ANN")])
        try store.close()
    }

    @Test("a migration can add a mandatory computed attribute", arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.earlier(), rows: Self.rows("Ann"))
        let store = try earlier.open(try ManagedObjectModel(records: [LoudGuest.self]))
        #expect(try Self.column(2, store) == [.string("ANN")])
        try store.close()
    }

    @Test(
        "values written by a program without the computing code are recomputed at the next opening",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func writtenWithoutTheCode(_ kind: StoreKind) throws {
        let model = try ManagedObjectModel(records: [Guest.self])
        let earlier = try EarlierStore(kind, model)
        // The store's own model declares the key as computed, and has no code for it.
        let text = ModelFile.text(of: model)
        #expect(text.contains("strata:computationVersion"))
        let kept = try ModelFile(json: Array(text.utf8), isKept: true).model
        #expect(kept["Guest"]?.computationVersion == 1)
        #expect(try ModelFile(json: Array(text.utf8)).model["Guest"]?.computationVersion == nil)
        for withoutCode in [kept, try ManagedObjectModel(model.entities)] {
            let container = try PersistentContainer(model: withoutCode, earlier.description, mainQueue: .private)
            try container.batchInsert(into: "Guest") {
                try $0.insert(values: [.string("Cy"), .null, .string("stale")], location: Self.location)
            }
            try container.close()
            let again = try earlier.open(model)
            #expect(try Self.column(2, again) == [.string("cy")])
            _ = try again.transaction { transaction in
                var changes = ChangeSet()
                changes["Guest"].deletions = try again.rows(StoreRequest("Guest")).map {
                    .init(id: $0.id, expectedVersion: $0.version)
                }
                _ = try transaction.save(changes)
                return .commit
            }
            try again.close()
        }
    }

    @Test(
        "a read-only opening returns the stored computed values of an earlier build",
        arguments: [StoreKind.sqlite, .xml])
    func readBefore(_ kind: StoreKind) throws {
        let keyed = Self.earlier(keyed: true).map { entity in
            EntityDescription(
                entity.name,
                entity.properties.map { property in
                    guard case .attribute(var attribute) = property, attribute.name == "key" else { return property }
                    attribute.isUnique = true
                    return .attribute(attribute)
                })
        }
        let earlier = try EarlierStore(kind, keyed, rows: Self.rows("Ann", key: .string("ann")))
        let model = try ManagedObjectModel(records: [Guest.self])
        let container = try PersistentContainer(model: model, earlier.description.readOnly, mainQueue: .private)
        #expect(try Self.column(2, container.coordinator.store) == [.string("ann")])
        try container.close()
        #expect(try Self.faults(model, earlier.description).isEmpty)
    }

    @Test("rows created by the code of a migration stage have computed values", arguments: StoreKind.allCases)
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

    @Test("a migration through versions read from model files fills computed values", arguments: StoreKind.allCases)
    func filesBetween(_ kind: StoreKind) throws {
        func file(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
            try ModelFile(json: Array(ModelFile.text(of: model).utf8)).model
        }
        let first = try ManagedObjectModel(Self.earlier())
        let second = try ManagedObjectModel(records: [LoudGuest.self])
        let third = try ManagedObjectModel(records: [LoudGuest.self, Pair.self])
        let plan = try MigrationPlan(
            [ModelVersion("1", try file(first)), ModelVersion("2", try file(second)), ModelVersion("3", third)],
            stages: [.inferred(from: "1", to: "2"), .inferred(from: "2", to: "3")])
        for model in [first, second] {
            let key = model.entities[0].computedColumns.isEmpty ? nil : StoredValue.string("ANN")
            let earlier = try EarlierStore(kind, model, rows: Self.rows("Ann", key: key))
            var description = earlier.description
            description.migrationPlan = plan
            let container = try PersistentContainer(model: third, description, mainQueue: .private)
            #expect(try Self.column(2, container.coordinator.store) == [.string("ANN")])
            try container.close()
        }
    }

    @Test(
        "a row that the record's initializer rejects is reported, or is unchanged on request",
        arguments: StoreKind.allCases)
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

    @Test("a bulk write stores the same computed values as a record", arguments: StoreKind.allCases)
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

    struct Ticket: PersistentRecord {
        let id: RecordID<Ticket>
        var seat: String
        var token: UUID
        var label: String { "\(id.rawValue)-\(seat)" }
        var short: String { String(token.uuidString.prefix(8)) }

        static let entity = RecordEntity<Ticket>(
            "Ticket", id: \.id,
            [
                .attribute("seat", \.seat), .attribute("token", \.token, default: .newUUID),
                .computed("label", \.label, isUnique: true), .computed("short", \.short),
            ], rules: .model
        ) { try Ticket(id: $0.id(), seat: $0.next(), token: $0.next()) }
    }

    @Test(
        "a computed value uses the identifier and defaults that a bulk insert assigns to the row",
        arguments: StoreKind.allCases)
    func numbered(_ kind: StoreKind) throws {
        let (container, store) = try Self.container(kind, Ticket.self)
        defer { withExtendedLifetime(store) {} }
        try container.batchInsert(into: "Ticket") { inserter in
            for seat in ["a", "b", "c"] {
                var block = RowBlock(of: inserter.entity)
                block.beginRow(id: nil, location: Self.location)
                block.set(.string(seat), column: 0)
                try inserter.insert(&block)
            }
            try inserter.insert(
                values: [.string("d"), .uuid(UUID()), .null, .null], location: Self.location)
        }
        for row in try container.coordinator.store.rows(StoreRequest("Ticket")) {
            guard case .string(let seat) = row.values[0], case .uuid(let token) = row.values[1] else { continue }
            #expect(row.values[2] == .string("\(row.id)-\(seat)"))
            #expect(row.values[3] == .string(String(token.uuidString.prefix(8))))
        }
        // The updates have only some values: new rows, rows by identifier, and rows by a computed value.
        try container.batchInsert(into: "Ticket", InsertOptions(onConflict: .update)) { inserter in
            for (id, seat) in [(9, "x"), (1, "y")] as [(Int64, String)] {
                var block = RowBlock(of: inserter.entity)
                block.beginRow(id: id, location: Self.location)
                block.set(.string(seat), column: 0)
                try inserter.insert(&block)
            }
        }
        let rows = try container.coordinator.store.rows(StoreRequest("Ticket"))
        #expect(rows.map { $0.values[2] } == ["1-y", "2-b", "3-c", "4-d", "9-x"].map(StoredValue.string))
        try container.close()
    }

    @Test("a bulk update finds the stored row by its computed unique value", arguments: StoreKind.allCases)
    func foundByComputedKey(_ kind: StoreKind) throws {
        let (container, store) = try Self.container(kind, LoudGuest.self)
        defer { withExtendedLifetime(store) {} }
        for (name, seats) in [("ann", 1), ("Ann", 2)] as [(String, Int64)] {
            try container.batchInsert(into: "Guest", InsertOptions(onConflict: .update)) { inserter in
                var block = RowBlock(of: inserter.entity)
                block.beginRow(id: nil, location: Self.location)
                block.set(.string(name), column: 0)
                block.set(.integer(seats), column: 1)
                try inserter.insert(&block)
            }
        }
        #expect(
            try container.coordinator.store.values("Guest") == [1: [.string("Ann"), .integer(2), .string("ANN")]])
        try container.close()
    }

    @Test("a batch update stores the same computed values as a record", arguments: StoreKind.allCases)
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

    @Test(
        "a merge of two conflicting saves recomputes the computed value from the merged row",
        arguments: StoreKind.allCases)
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

    @Test(
        "a check reports stored values that differ from the computed ones, and a repair corrects them",
        arguments: StoreKind.allCases)
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
        // The row that the initializer rejects remains.
        #expect(try Self.faults(neat, second.description, repairs: true).map(\.id) == [2])
    }
}
