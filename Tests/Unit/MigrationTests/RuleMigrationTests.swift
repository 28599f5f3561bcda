import StrataCore
import StrataPersistence
import StrataSQLite
import StrataStoreKit
import Testing

/// Migration of rules, uniqueness, and bounds on relationships.
@Suite("Migration of rules")
struct RuleMigrationTests {
    private static func model(
        _ properties: EntityDescription.Property..., unique: [[String]] = [], indexes: [[String]] = []
    )
        -> [EntityDescription]
    {
        [EntityDescription("Item", properties, uniquenessConstraints: unique, indexes: indexes)]
    }

    private static let plain = model(attribute("code"), attribute("price", .integer32))
    private static let rows: [Int64: [StoredValue]] = [
        1: [.string("a"), .integer(10)], 2: [.string("bbb"), .integer(20)], 3: [.string("a"), .integer(10)],
        4: [.null, .null],
    ]

    private static func earlier(_ kind: StoreKind) throws -> EarlierStore {
        try EarlierStore(kind, plain, rows: ["Item": rows])
    }

    @Test(
        "a new rule that rows break is reported with the rows, and the store is unchanged",
        arguments: StoreKind.allCases)
    func tightened(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let tight = Self.model(
            attribute("code", rules: [.maximumLength(2)]),
            attribute("price", .integer32, rules: [.maximum(.integer(15))]))
        let error = try #require(failure { _ = try earlier.open(tight) })
        #expect(error.code == .validation)
        #expect(
            error.message == """
                rows of the store break rules of the model; nothing was changed:
                  Item.code is longer than 2: 1 row, Item 2
                  Item.price is greater than 15: 1 row, Item 2
                """)
        #expect(try earlier.open(Self.plain).values("Item") == Self.rows)
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        #expect(try earlier.open(tight, options).values("Item") == Self.rows)
    }

    @Test("a broken rule reports only the first ten of many rows", arguments: StoreKind.allCases)
    func many(_ kind: StoreKind) throws {
        var rows: [Int64: [StoredValue]] = [:]
        for id in 1...25 { rows[Int64(id)] = [.string("long"), .null] }
        let earlier = try EarlierStore(kind, Self.plain, rows: ["Item": rows])
        let violations = try earlier.preview(
            Self.model(attribute("code", rules: [.maximumLength(2)]), attribute("price", .integer32))
        ).violations
        #expect(violations.map(\.count) == [25])
        #expect(violations.map(\.ids) == [Array(1...10)])
        #expect(
            violations.first?.description
                == "Item.code is longer than 2: 25 rows, Item 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …")
    }

    @Test("duplicate values of a new unique attribute are reported", arguments: StoreKind.allCases)
    func unique(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let alone = Self.model(attribute("code", unique: true), attribute("price", .integer32))
        let error = try #require(failure { _ = try earlier.open(alone) })
        #expect(error.message.hasSuffix("Item.code is unique, but rows have equal values: 2 rows, Item 1, 3"))
        let together = Self.model(attribute("code"), attribute("price", .integer32), unique: [["code", "price"]])
        let second = try #require(failure { _ = try earlier.open(together) })
        #expect(
            second.message.hasSuffix(
                "Item (code, price) are unique together, but rows share their values: 2 rows, Item 1, 3"))
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        #expect(failure { _ = try earlier.open(alone, options) }?.code == .validation)
        var rows = Self.rows
        rows[3] = nil
        for model in [alone, together] {
            let before = try EarlierStore(kind, Self.plain, rows: ["Item": rows])
            let after = try EarlierStore(kind, model, rows: ["Item": rows])
            defer { withExtendedLifetime((before, after)) {} }
            let store = try before.open(model)
            var changes = ChangeSet()
            changes["Item"].insertions = [.init(id: 9, values: [.string("a"), .integer(10)])]
            #expect(failure { _ = try store.save(changes) }?.code == .uniqueness)
            // The reverse migration makes the attribute not unique again.
            let loose = try after.open(Self.plain)
            #expect(try loose.save(changes).isEmpty)
        }
    }

    @Test("a new unique attribute is listed as a risk of its own entity only")
    func uniqueRisk() throws {
        func model(_ unique: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                EntityDescription("Box", [attribute("code")]),
                EntityDescription("Item", [attribute("code", unique: unique)]),
            ])
        }
        #expect(
            ModelMapping(from: try model(false), to: try model(true)).risks
                == ["Item (code) is unique now: rows that share a value cannot be migrated"])
    }

    @Test("unique texts that are converted to equal numbers are reported as duplicates", arguments: StoreKind.allCases)
    func convertedKeys(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, Self.model(attribute("code", unique: true)),
            rows: ["Item": [1: [.string("1")], 2: [.string("1.0")]]])
        let error = try #require(
            failure { _ = try earlier.open(Self.model(attribute("code", .double, unique: true))) })
        #expect(error.message.hasSuffix("Item.code is unique, but rows have equal values: 2 rows, Item 1, 2"))
    }

    @Test(
        "changed rules, defaults and indexes are adopted without rewriting rows",
        arguments: StoreKind.allCases)
    func takenOver(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind,
            Self.model(
                attribute("code", rules: [.maximumLength(3), .minimumLength(1)]), attribute("price", .integer32)),
            rows: ["Item": Self.rows])
        let model = Self.model(
            attribute("code", default: .constant(.string("x")), rules: [.maximumLength(5)], indexed: true),
            attribute("price", .integer32), indexes: [["price", "code"]])
        let preview = try earlier.preview(model)
        #expect(!preview.isPhysical)
        #expect(
            preview.steps.map(\.description) == [
                "change-rules Item.code", "add-index Item.code", "add-index Item (price, code)",
            ])
        #expect(try earlier.open(model).values("Item") == Self.rows)
    }

    @Test(
        "a dropped index is reported as a step unless its attribute is also dropped",
        arguments: StoreKind.allCases)
    func removedIndexes(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind,
            Self.model(attribute("code", indexed: true), attribute("price", .integer32), indexes: [["price", "code"]]),
            rows: ["Item": Self.rows])
        let bare = try earlier.preview(Self.plain)
        #expect(bare.steps.map(\.description) == ["remove-index Item.code", "remove-index Item (price, code)"])
        #expect(!bare.isPhysical)
        let short = try earlier.preview(Self.model(attribute("code", indexed: true)))
        #expect(short.steps.map(\.description) == ["remove Item.price"])
        #expect(try earlier.open(Self.plain).values("Item") == Self.rows)
    }

    @Test("a changed order of attributes needs no migration", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let model = Self.model(attribute("price", .integer32), attribute("code"))
        #expect(try Self.earlier(kind).preview(model).steps.isEmpty)
        let values = try Self.earlier(kind).open(model).values("Item")
        #expect(values == Self.rows.mapValues { [$0[1], $0[0]] })
    }

    /// Returns lists with a number of songs.
    private static func lists(minimum: Int = 0, maximum: Int? = nil, optional: Bool = true) -> [EntityDescription] {
        [
            EntityDescription(
                "List",
                [
                    relationship(
                        "songs", to: "Song", .toMany, inverse: "list", optional: optional, minimum: minimum,
                        maximum: maximum)
                ]),
            EntityDescription("Song", [relationship("list", to: "List", inverse: "songs")]),
        ]
    }

    @Test("only narrower bounds of a relationship are listed as a risk")
    func countRisk() throws {
        func risks(_ before: [EntityDescription], _ now: [EntityDescription]) throws -> [String] {
            ModelMapping(from: try ManagedObjectModel(before), to: try ManagedObjectModel(now)).risks
        }
        let risk =
            "List.songs has other minimum or maximum counts now: rows that refer to too few or too many objects cannot "
            + "be migrated"
        let some = Self.lists(minimum: 2, maximum: 3)
        for wider in [some, Self.lists(minimum: 1, maximum: 3), Self.lists(minimum: 2, maximum: 4), Self.lists()] {
            #expect(try risks(some, wider) == [])
        }
        for narrower in [Self.lists(minimum: 3, maximum: 3), Self.lists(minimum: 2, maximum: 2)] {
            #expect(try risks(some, narrower) == [risk])
        }
        #expect(try risks(Self.lists(), some) == [risk])
    }

    @Test("objects that break a relationship's bounds are reported", arguments: StoreKind.allCases)
    func counts(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, Self.lists(),
            rows: ["List": [1: [], 2: []], "Song": [1: [.integer(1)], 2: [.integer(1)], 3: [.integer(1)]]])
        let tooMany = try #require(failure { _ = try earlier.open(Self.lists(maximum: 2)) })
        #expect(tooMany.message.hasSuffix("List.songs is above the maximum count of 2: 1 row, List 1"))
        let tooFew = try #require(failure { _ = try earlier.open(Self.lists(minimum: 1, optional: false)) })
        #expect(tooFew.message.hasSuffix("List.songs is below the minimum count of 1: 1 row, List 2"))
        #expect(try earlier.open(Self.lists(minimum: 3, maximum: 3)).values("List").count == 2)
        // An optional relationship may have no objects, whatever its minimum is.
        let none = try EarlierStore(kind, Self.lists(minimum: 2), rows: ["List": [2: []]])
        let mandatory = try #require(failure { _ = try none.open(Self.lists(minimum: 2, optional: false)) })
        #expect(mandatory.message.hasSuffix("List.songs is below the minimum count of 2: 1 row, List 2"))
    }

    @Test("a canceled preview throws", arguments: StoreKind.allCases)
    func cancelledPreview(_ kind: StoreKind) throws {
        let rows = Dictionary(uniqueKeysWithValues: (1...6_000).map { (Int64($0), [StoredValue.string("text \($0)")]) })
        let earlier = try EarlierStore(kind, [EntityDescription("Item", [attribute("code")])], rows: ["Item": rows])
        defer { withExtendedLifetime(earlier) {} }
        var description = earlier.description
        description.migration.isCancelled = { true }
        let model = try ManagedObjectModel([EntityDescription("Item", [attribute("code", rules: [.pattern("t.*")])])])
        #expect(throws: CancellationError.self) { try PersistentContainer.canMigrate(model: model, description) }
        description.migration.isCancelled = { false }
        #expect(try PersistentContainer.canMigrate(model: model, description).violations.isEmpty)
    }
}
