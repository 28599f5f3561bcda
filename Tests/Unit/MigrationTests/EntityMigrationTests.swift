import StrataCore
import StrataPersistence
import StrataStoreKit
import Testing

/// Migration of entities.
@Suite("Migration of entities")
struct EntityMigrationTests {
    private static func people(_ name: String = "Person", from earlier: String...) -> EntityDescription {
        EntityDescription(
            name,
            [
                attribute("name"), relationship("boss", to: name, inverse: "reports"),
                relationship("reports", to: name, .toMany, inverse: "boss"),
            ], renamedFrom: earlier)
    }

    private static let rows: [Int64: [StoredValue]] = [
        1: [.string("Ada"), .null], 2: [.string("Grace"), .integer(1)], 3: [.string("Edsger"), .integer(1)],
    ]

    @Test("an added entity accepts rows", arguments: StoreKind.allCases)
    func added(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, [Self.people()], rows: ["Person": Self.rows])
        let store = try earlier.open([Self.people(), EntityDescription("City", [attribute("name", unique: true)])])
        #expect(try store.values("Person") == Self.rows)
        #expect(try store.reserveIdentifiers(1, of: "City") == 1...1)
    }

    @Test(
        "a renamed entity keeps its rows, references and identifiers",
        arguments: StoreKind.allCases)
    func renamed(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, [Self.people()], rows: ["Person": Self.rows])
        let store = try earlier.open([Self.people("Employee", from: "Human", "Person")])
        #expect(try store.values("Employee") == Self.rows)
        #expect(try store.reserveIdentifiers(1, of: "Employee") == 4...4)
        // References are still checked.
        var changes = ChangeSet()
        changes["Employee"].insertions = [.init(id: 9, values: [.null, .integer(77)])]
        #expect(failure { _ = try store.save(changes) }?.code == .danglingReference)
        let reports = FetchCondition.related("boss", .compare(.property("name"), .equal, .constant(.string("Ada"))))
        #expect(try store.count(StoreRequest("Employee", where: reports)) == 2)
    }

    @Test("renaming an entity leaves other entities unchanged", arguments: StoreKind.allCases)
    func withOtherEntities(_ kind: StoreKind) throws {
        let (a, b) = ([attribute("x")], [attribute("y", .integer64)])
        let earlier = try EarlierStore(
            kind, [EntityDescription("A", a), EntityDescription("B", b)],
            rows: ["A": [1: [.string("a")]], "B": [5: [.integer(5)]]])
        let middle = try earlier.open([EntityDescription("C", a, renamedFrom: ["A"]), EntityDescription("B", b)])
        #expect(try middle.values("C") == [1: [.string("a")]])
        #expect(try middle.values("B") == [5: [.integer(5)]])
        #expect(try middle.reserveIdentifiers(1, of: "B") == 6...6)
    }

    @Test(
        "an entity with rows is dropped only if the options permit it, and an empty entity automatically",
        arguments: StoreKind.allCases)
    func dropped(_ kind: StoreKind) throws {
        let city = EntityDescription("City", [attribute("name")])
        let earlier = try EarlierStore(
            kind, [Self.people(), city], rows: ["Person": Self.rows, "City": [4: [.string("Zürich")]]])
        let error = try #require(failure { _ = try earlier.open([Self.people()]) })
        #expect(error.code == .dataLoss && error.entity == "City")
        #expect(error.message.hasSuffix("Allow it by name: City (1 row)"))
        var options = MigrationOptions()
        options.drops = .everything
        let store = try earlier.open([Self.people()], options)
        #expect(try store.values("Person") == Self.rows)
        let empty = try EarlierStore(kind, [Self.people(), city], rows: ["Person": Self.rows])
        #expect(try empty.open([Self.people()]).values("Person") == Self.rows)
        guard kind.isChecked else { return }
        // The store contains no data about the dropped entity.
        try store.close()
        try PersistentContainer.check(model: try ManagedObjectModel([Self.people()]), earlier.description) {
            Issue.record("\($0)")
        }
    }

    @Test("a dropped entity that is added again has no rows and begins with identifier 1")
    func again() throws {
        let city = EntityDescription("City", [attribute("name")])
        let earlier = try EarlierStore(
            .sqlite, [Self.people(), city], rows: ["Person": Self.rows, "City": [4: [.string("Zürich")]]])
        var options = MigrationOptions()
        options.drops = .everything
        try earlier.open([Self.people()], options).close()
        let store = try earlier.open([Self.people(), city])
        #expect(try store.values("City").isEmpty)
        #expect(try store.reserveIdentifiers(1, of: "City") == 1...1)
    }

    @Test("a migration keeps the users' metadata and the store's identifier")
    func metadata() throws {
        let earlier = try EarlierStore(.sqlite, [Self.people()], rows: ["Person": Self.rows])
        let first = try earlier.open([Self.people()])
        try first.writeRows { try $0.setMetadata("12", forKey: "sequence") }
        let identifier = try first.information().identifier
        try first.close()
        let store = try earlier.open([Self.people("Employee", from: "Person")])
        #expect(try store.metadata(forKey: "sequence") == "12")
        #expect(try store.information().identifier == identifier)
    }
}
