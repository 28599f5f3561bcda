import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// An attribute with the keys of files that becomes the identifier of rows, with all references to them.
@Suite("Attributes that become identifiers")
struct IdentifierMigrationTests {
    /// Returns employees with numbers, a boss, teams, and a desk whose reference is on either side.
    private static func model(numbered: Bool, deskIsOwner: Bool = true, keepsOrder: Bool = true) -> [EntityDescription]
    {
        func number() -> [EntityDescription.Property] {
            let attribute = AttributeDescription(
                "id2", .integer32, isUnique: true, externalName: "id")
            return numbered ? [] : [.attribute(attribute)]
        }
        func key(_ column: String) -> ExternalKey? { numbered ? nil : ExternalKey("id2", column: column) }
        func link(_ name: String, position: String? = nil) -> ExternalLink? {
            guard let owner = key("source"), let destination = key("target") else { return nil }
            return .table(ExternalLinkTable(name, owner: owner, destination: destination, position: position))
        }
        let form = ExternalForm(identifiers: numbered ? .column("id") : .own)
        return [
            EntityDescription(
                "Employee",
                number() + [
                    attribute("name"),
                    .relationship(
                        RelationshipDescription(
                            "boss", to: "Employee", .toOne, inverse: "reports", externalKey: key("boss"))),
                    relationship("reports", to: "Employee", .toMany, inverse: "boss"),
                    .relationship(
                        RelationshipDescription(
                            "teams", to: "Team", .toMany, inverse: "members", isOrdered: true,
                            externalLink: link("memberships", position: "place"))),
                    .relationship(
                        RelationshipDescription(
                            "friends", to: "Employee", .toMany, inverse: "friends", externalLink: link("friendships"))),
                    relationship("desk", to: "Desk", inverse: "owner", keepsKey: !deskIsOwner),
                ], external: form, keepsOrder: numbered && keepsOrder),
            EntityDescription(
                "Team",
                number() + [attribute("title"), relationship("members", to: "Employee", .toMany, inverse: "teams")],
                external: form, keepsOrder: numbered && keepsOrder),
            EntityDescription(
                "Desk",
                [
                    attribute("room"),
                    .relationship(
                        RelationshipDescription(
                            "owner", to: "Employee", .toOne, inverse: "desk", ownsForeignKey: deskIsOwner,
                            externalKey: deskIsOwner ? key("owner") : nil)),
                ]),
        ]
    }

    private static func employee(
        _ number: Int64, _ name: String, boss: Int64? = nil
    ) -> [StoredValue] {
        [.integer(number), .string(name), boss.map(StoredValue.integer) ?? .null]
    }
    /// The rows 1, 2, 3 with the numbers 30, 10, 20.
    private static let employees: [Int64: [StoredValue]] = [
        1: employee(30, "Ada", boss: 3), 2: employee(10, "Grace", boss: 1), 3: employee(20, "Alan"),
    ]
    private static func rows(_ employees: [Int64: [StoredValue]] = employees) -> [String: [Int64: [StoredValue]]] {
        [
            "Employee": employees,
            "Team": [1: [.integer(7), .string("a")], 2: [.integer(1), .string("b")]],
            "Desk": [1: [.string("x"), .integer(2)], 2: [.string("y"), .null]],
        ]
    }
    private static let pairs = [
        "Employee_teams": [
            JoinRow(JoinPair(source: 1, target: 2), sourcePosition: 1),
            JoinRow(JoinPair(source: 1, target: 1), sourcePosition: 2),
            JoinRow(JoinPair(source: 3, target: 1), sourcePosition: 1),
        ],
        "Employee_friends": [JoinRow(JoinPair(source: 1, target: 2)), JoinRow(JoinPair(source: 3, target: 3))],
    ]

    private static func pairs(_ store: any PersistentStore, _ join: String) throws -> Set<[Int64]> {
        Set(try store.joins(JoinRequest(join)).map { [$0.pair.source, $0.pair.target, $0.sourcePosition ?? 0] })
    }

    private static func check(_ store: any PersistentStore) throws {
        func row(_ name: String, boss: Int64?, at position: Int64) -> [StoredValue] {
            [.string(name), boss.map(StoredValue.integer) ?? .null, .integer(position)]
        }
        #expect(
            try store.values("Employee") == [
                30: row("Ada", boss: 20, at: 1), 10: row("Grace", boss: 30, at: 2), 20: row("Alan", boss: nil, at: 3),
            ])
        #expect(
            try store.values("Team") == [
                7: [.string("a"), .integer(1)], 1: [.string("b"), .integer(2)],
            ])
        #expect(try store.values("Desk") == [1: [.string("x"), .integer(10)], 2: [.string("y"), .null]])
        #expect(try pairs(store, "Employee_teams") == [[30, 1, 1], [30, 7, 2], [20, 7, 1]])
        #expect(try pairs(store, "Employee_friends") == [[10, 30, 0], [30, 10, 0], [20, 20, 0]])
        // New rows get numbers that no row has.
        #expect(try store.reserveIdentifiers(1, of: "Employee") == 31...31)
    }

    @Test("references and join rows are updated to the new identifiers", arguments: StoreKind.allCases)
    func renumbered(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.model(numbered: false), rows: Self.rows(), pairs: Self.pairs)
        let later = Self.model(numbered: true)
        #expect(
            try earlier.preview(later).steps.filter { $0.kind == .makeIdentifier }.map(\.description)
                == ["make-identifier Employee.id", "make-identifier Team.id"])
        let store = try earlier.open(later)
        try Self.check(store)
        guard kind.isChecked else { return }
        try store.close()
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: try ManagedObjectModel(later), earlier.description) {
            faults.append($0)
        }
        #expect(faults.isEmpty)
    }

    @Test("an attribute can also become the identifier in a stage with code", arguments: StoreKind.allCases)
    func staged(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.model(numbered: false), rows: Self.rows(), pairs: Self.pairs)
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [
                ModelVersion("1", earlier.model),
                ModelVersion("2", try ManagedObjectModel(Self.model(numbered: true))),
            ],
            stages: [
                .custom(from: "1", to: "2", [EntityTransform("Employee") { _, _, _ in .keep }])
            ])
        let container = try PersistentContainer(
            model: try ManagedObjectModel(Self.model(numbered: true)), description, mainQueue: .private)
        try Self.check(container.coordinator.store)
    }

    @Test(
        "a reference that moves to the other side of its relationship also uses the new identifiers",
        arguments: StoreKind.allCases)
    func turned(_ kind: StoreKind) throws {
        let store = try EarlierStore(kind, Self.model(numbered: false), rows: Self.rows())
            .open(Self.model(numbered: true, deskIsOwner: false, keepsOrder: false))
        #expect(
            try store.values("Employee") == [
                30: [.string("Ada"), .integer(20), .null], 10: [.string("Grace"), .integer(30), .integer(1)],
                20: [.string("Alan"), .null, .null],
            ])
    }

    @Test(
        "a missing, invalid or duplicate number cannot become an identifier, and nothing changes",
        arguments: StoreKind.allCases)
    func unfit(_ kind: StoreKind) throws {
        func team(numbered: Bool) -> [EntityDescription] {
            let number = AttributeDescription("id2", .integer64, isOptional: true, externalName: "id")
            return [
                EntityDescription(
                    "Team", (numbered ? [] : [.attribute(number)]) + [attribute("title")],
                    external: ExternalForm(identifiers: numbered ? .column("id") : .own))
            ]
        }
        for (number, reason) in [
            (nil, "becomes the identifier, but is not a whole number"),
            (0, "becomes the identifier, but is not a whole number"),
            (10, "becomes the identifier, but rows have equal values"),
        ] as [(Int64?, String)] {
            let rows: [Int64: [StoredValue]] = [
                1: [.integer(10), .string("a")], 2: [number.map(StoredValue.integer) ?? .null, .string("b")],
            ]
            let earlier = try EarlierStore(kind, team(numbered: false), rows: ["Team": rows])
            let error = try #require(failure { _ = try earlier.open(team(numbered: true)) })
            #expect(error.code == .validation)
            #expect(error.message.contains("Team.id \(reason)"), "\(error.message)")
            // A stage's code sets values, and not identifiers.
            var staged = earlier.description
            let later = try ManagedObjectModel(team(numbered: true))
            staged.migrationPlan = try MigrationPlan(
                [ModelVersion("1", earlier.model), ModelVersion("2", later)],
                stages: [.custom(from: "1", to: "2", [EntityTransform("Team") { _, _, _ in .keep }])])
            let refused = try #require(
                failure { _ = try PersistentContainer(model: later, staged, mainQueue: .private) })
            #expect(refused.code == .validation && refused.message.contains("Team.id \(reason)"), "\(refused)")
            #expect(try earlier.open(team(numbered: false)).values("Team") == rows)
        }
    }

    @Test(
        "a key column is dropped only if the options name the column",
        arguments: StoreKind.allCases)
    func dropped(_ kind: StoreKind) throws {
        func entity(_ identifiers: ExternalForm.Identifiers) -> [EntityDescription] {
            [EntityDescription("Team", [attribute("title")], external: ExternalForm(identifiers: identifiers))]
        }
        let earlier = try EarlierStore(kind, entity(.column("number")), rows: ["Team": [4: [.string("a")]]])
        let error = try #require(failure { _ = try earlier.open(entity(.own)) })
        #expect(error.code == .dataLoss)
        #expect(error.message.contains("Team.number (1 value)"), "\(error.message)")
        var options = MigrationOptions()
        options.drops = .named(["Team.number"])
        let store = try earlier.open(entity(.own), options)
        #expect(try store.values("Team") == [4: [.string("a")]])
    }
}
