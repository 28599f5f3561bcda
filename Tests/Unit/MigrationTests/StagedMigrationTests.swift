import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

/// Versions, and stages with code between them.
@Suite("Staged migration")
struct StagedMigrationTests {
    /// The first version: people with one name and an address as text.
    private static let first = [
        EntityDescription(
            "Person",
            [
                attribute("name", optional: false), attribute("street"), attribute("city"),
                relationship("boss", to: "Person", inverse: "reports"),
                relationship("reports", to: "Person", .toMany, inverse: "boss"),
            ])
    ]
    /// The second version, with one more attribute.
    private static let second = [
        EntityDescription(
            "Person",
            first[0].properties + [attribute("level", .integer32, optional: false, default: .constant(.integer(1)))])
    ]
    /// The third version: two names, and addresses as rows.
    private static let third = [
        EntityDescription(
            "Employee",
            [
                attribute("firstName", optional: false), attribute("lastName", optional: false),
                attribute("level", .integer32, optional: false),
                relationship("boss", to: "Employee", inverse: "reports"),
                relationship("reports", to: "Employee", .toMany, inverse: "boss"),
                relationship("address", to: "Address", inverse: "people"),
            ], renamedFrom: ["Person"]),
        EntityDescription(
            "Address",
            [
                attribute("street", optional: false), attribute("city", optional: false),
                relationship("people", to: "Employee", .toMany, inverse: "address"),
            ],
            uniquenessConstraints: [["street", "city"]]),
    ]
    private static let rows: [Int64: [StoredValue]] = [
        1: [.string("Ada Lovelace"), .string("Main St"), .string("London"), .null],
        2: [.string("Grace Hopper"), .string("Bay Rd"), .string("New York"), .integer(1)],
        5: [.string("Alan Turing"), .string("Main St"), .string("London"), .integer(2)],
        7: [.string("Nameless"), .null, .null, .null],
    ]

    private static func split(_ old: DynamicRecord, _ new: inout DynamicRecord, _ rows: MigratingRows) throws
        -> MigratedRow
    {
        let names = try old.value("name", as: String.self).split(separator: " ").map(String.init)
        guard names.count == 2 else { return .drop }
        try new.set("firstName", to: names[0])
        try new.set("lastName", to: names[1])
        guard let street = try old.value("street", as: String?.self), let city = try old.value("city", as: String?.self)
        else {
            return .keep
        }
        let addresses = try rows.new.entity("Address")
        var known: Int64?
        // The attributes are mandatory in the later version.
        let isIt =
            try RecordFilter.compare(try addresses.attribute("street", as: String.self), .equal, street)
            && RecordFilter.compare(try addresses.attribute("city", as: String.self), .equal, city)
        try rows.new.fetch(FetchRequest(addresses, isIt)) { known = $0.id.rawValue }
        let address = try known ?? rows.insert("Address", ["street": street, "city": city])
        try new.setStored("address", to: .integer(address))
        return .keep
    }

    private static func plan() throws -> MigrationPlan {
        try MigrationPlan(
            [
                ModelVersion("1", try ManagedObjectModel(first)), ModelVersion("2", try ManagedObjectModel(second)),
                ModelVersion("3", try ManagedObjectModel(third)),
            ],
            stages: [.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [EntityTransform("Employee", split)])])
    }

    private static func open(
        _ earlier: EarlierStore, _ model: [EntityDescription] = third, plan: MigrationPlan,
        _ options: MigrationOptions = MigrationOptions()
    ) throws -> any PersistentStore {
        var description = earlier.description
        description.migrationPlan = plan
        description.migration = options
        return try PersistentContainer(model: try ManagedObjectModel(model), description, mainQueue: .private)
            .coordinator.store
    }

    @Test(
        "a migration stage can split one entity into two, starting from the first or second model version",
        arguments: StoreKind.allCases,
        [1, 2])
    func splits(_ kind: StoreKind, _ version: Int) throws {
        let rows = version == 1 ? Self.rows : Self.rows.mapValues { $0 + [.integer(4)] }
        let earlier = try EarlierStore(kind, version == 1 ? Self.first : Self.second, rows: ["Person": rows])
        defer { withExtendedLifetime(earlier) {} }
        let store = try Self.open(earlier, plan: try Self.plan())
        let level = StoredValue.integer(version == 1 ? 1 : 4)
        #expect(
            try store.values("Employee") == [
                1: [.string("Ada"), .string("Lovelace"), level, .null, .integer(1)],
                2: [.string("Grace"), .string("Hopper"), level, .integer(1), .integer(2)],
                5: [.string("Alan"), .string("Turing"), level, .integer(2), .integer(1)],
            ])
        #expect(
            try store.values("Address") == [
                1: [.string("Main St"), .string("London")], 2: [.string("Bay Rd"), .string("New York")],
            ])
        #expect(try store.reserveIdentifiers(1, of: "Employee") == 8...8)
        #expect(try store.reserveIdentifiers(1, of: "Address") == 3...3)
        var changes = ChangeSet()
        changes["Address"].insertions = [.init(id: 9, values: [.string("Main St"), .string("London")])]
        #expect(failure { _ = try store.save(changes) }?.code == .uniqueness)
        guard kind.isChecked else { return }
        try store.close()
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: try ManagedObjectModel(Self.third), earlier.description) {
            faults.append($0)
        }
        #expect(faults.isEmpty)
    }

    @Test(
        "a migration stage can compute the values of a row from rows of another entity", arguments: StoreKind.allCases)
    func joins(_ kind: StoreKind) throws {
        let old = [
            EntityDescription("Person", [attribute("name")]),
            EntityDescription("Detail", [attribute("phone"), relationship("person", to: "Person", optional: false)]),
        ]
        let new = [EntityDescription("Person", [attribute("name"), attribute("phone", optional: false)])]
        let earlier = try EarlierStore(
            kind, old,
            rows: ["Person": [1: [.string("a")], 2: [.string("b")]], "Detail": [9: [.string("123"), .integer(2)]]])
        defer { withExtendedLifetime(earlier) {} }
        let join = EntityTransform("Person") { old, new, rows in
            let details = try rows.old.entity("Detail")
            var phone = "none"
            try rows.old.fetch(FetchRequest(details, where: "person = \(old.id)")) {
                phone = try $0.value("phone", as: String.self)
            }
            try new.set("phone", to: phone)
            return .keep
        }
        func plan(_ drops: MigrationOptions.Drops) throws -> MigrationPlan {
            try MigrationPlan(
                [ModelVersion("1", try ManagedObjectModel(old)), ModelVersion("2", try ManagedObjectModel(new))],
                stages: [.custom(from: "1", to: "2", drops: drops, [join])])
        }
        #expect(failure { _ = try Self.open(earlier, new, plan: try plan(.nothing)) }?.code == .dataLoss)
        let store = try Self.open(earlier, new, plan: try plan(.named(["Detail"])))
        #expect(
            try store.values("Person") == [1: [.string("a"), .string("none")], 2: [.string("b"), .string("123")]])
    }

    @Test(
        "the final closure of a stage can create rows and join rows from rows of the previous version",
        arguments: StoreKind.allCases)
    func finishes(_ kind: StoreKind) throws {
        let old = [EntityDescription("Note", [attribute("text"), attribute("tags")])]
        let new = [
            EntityDescription(
                "Note", [attribute("text"), relationship("tags", to: "Tag", .toMany, inverse: "notes", ordered: true)]),
            EntityDescription(
                "Tag", [attribute("name", unique: true), relationship("notes", to: "Note", .toMany, inverse: "tags")]),
        ]
        let earlier = try EarlierStore(
            kind, old, rows: ["Note": [1: [.string("x"), .string("b,a")], 2: [.string("y"), .string("a")]]])
        defer { withExtendedLifetime(earlier) {} }
        let plan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(old)), ModelVersion("2", try ManagedObjectModel(new))],
            stages: [
                .custom(from: "1", to: "2", drops: .named(["Note.tags"]), []) { rows in
                    var tags: [String: Int64] = [:]
                    try rows.old.fetch("Note") { note in
                        for (position, name) in try note.value("tags", as: String.self).split(separator: ",")
                            .enumerated()
                        {
                            let tag = try tags[String(name)] ?? rows.insert("Tag", ["name": String(name)])
                            tags[String(name)] = tag
                            try rows.relate(
                                "tags", of: "Note", owner: note.id.rawValue, to: tag, position: Int64(position))
                        }
                    }
                    #expect(try rows.new.related("tags", of: "Note", id: 1) == [1, 2])
                    #expect(try rows.old.record("Note", id: 2)?.value("text", as: String.self) == "y")
                    #expect(try rows.new.record("Tag", id: 1)?.value("name", as: String.self) == "b")
                    #expect(try rows.old.record("Note", id: 3) == nil)
                }
            ])
        let store = try Self.open(earlier, new, plan: plan)
        #expect(try store.values("Tag") == [1: [.string("b")], 2: [.string("a")]])
        #expect(try store.joins(JoinRequest("Note_tags", of: .source, ids: [1])).map(\.pair.target) == [1, 2])
        #expect(try store.values("Note") == [1: [.string("x")], 2: [.string("y")]])
    }

    @Test(
        "join rows of unchanged entities are preserved while a stage's code changes another entity",
        arguments: StoreKind.allCases)
    func keptPairs(_ kind: StoreKind) throws {
        let tagged = [
            EntityDescription(
                "Note", [attribute("text"), relationship("tags", to: "Tag", .toMany, inverse: "notes")]),
            EntityDescription(
                "Tag", [attribute("name"), relationship("notes", to: "Note", .toMany, inverse: "tags")]),
        ]
        let old = tagged + [EntityDescription("Log", [attribute("line")])]
        let new = tagged + [EntityDescription("Log", [attribute("line"), attribute("size", .integer32)])]
        let pairs = [JoinPair(source: 1, target: 2), JoinPair(source: 2, target: 1), JoinPair(source: 2, target: 2)]
        let texts: [Int64: [StoredValue]] = [1: [.string("a")], 2: [.string("b")]]
        let earlier = try EarlierStore(
            kind, old, rows: ["Note": texts, "Tag": texts, "Log": texts],
            pairs: ["Note_tags": pairs.map { JoinRow($0, sourcePosition: nil, targetPosition: nil) }])
        defer { withExtendedLifetime(earlier) {} }
        let plan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(old)), ModelVersion("2", try ManagedObjectModel(new))],
            stages: [
                .custom(
                    from: "1", to: "2",
                    [
                        EntityTransform("Log") { _, new, _ in
                            try new.set("size", to: Int32(1))
                            return .keep
                        }
                    ])
            ])
        let store = try Self.open(earlier, new, plan: plan)
        #expect(try store.values("Log") == texts.mapValues { $0 + [.integer(1)] })
        #expect(try store.joins(JoinRequest("Note_tags", of: .source)).map(\.pair) == pairs)
        #expect(try store.joins(JoinRequest("Note_tags", of: .target, ids: [2])).map(\.pair.source) == [1, 2])
        guard kind.isChecked else { return }
        try store.close()
        _ = try PersistentContainer.check(model: try ManagedObjectModel(new), earlier.description) {
            Issue.record("\($0)")
        }
    }

    @Test("an error or an invalid result of a stage's code rolls the migration back", arguments: StoreKind.allCases)
    func failing(_ kind: StoreKind) throws {
        struct Stopped: Error {}
        let earlier = try EarlierStore(kind, Self.second, rows: ["Person": Self.rows.mapValues { $0 + [.integer(4)] }])
        func plan(_ body: @escaping EntityTransform.Body) throws -> MigrationPlan {
            try MigrationPlan(
                [
                    ModelVersion("2", try ManagedObjectModel(Self.second)),
                    ModelVersion("3", try ManagedObjectModel(Self.third)),
                ],
                stages: [.custom(from: "2", to: "3", [EntityTransform("Employee", body)])])
        }
        #expect(throws: Stopped.self) {
            try Self.open(
                earlier,
                plan: try plan { old, _, _ in
                    if old.id.rawValue == 5 { throw Stopped() }
                    return .drop
                })
        }
        let missing = try #require(failure { _ = try Self.open(earlier, plan: try plan { _, _, _ in .keep }) })
        #expect(missing.code == .validation && missing.entity == "Employee" && missing.id == 1)
        #expect(missing.failures.map(\.attribute) == ["firstName", "lastName"])
        let dangling = try #require(
            failure {
                _ = try Self.open(
                    earlier,
                    plan: try plan { old, new, rows in
                        if old.id.rawValue == 1 { return .drop }
                        try new.set("firstName", to: "a")
                        try new.set("lastName", to: "b")
                        return .keep
                    })
            })
        #expect(dangling.code == .danglingReference && dangling.entity == "Employee" && dangling.id == 2)
        #expect(try earlier.open(Self.second).values("Person") == Self.rows.mapValues { $0 + [.integer(4)] })
    }

    @Test("the code of a migration stage also runs if the models differ only in a rule", arguments: StoreKind.allCases)
    func onlyRules(_ kind: StoreKind) throws {
        func note(_ length: Int) -> [EntityDescription] {
            [EntityDescription("Note", [attribute("text", rules: [.maximumLength(length)]), attribute("tag")])]
        }
        let earlier = try EarlierStore(kind, note(9), rows: ["Note": [1: [.string("x"), .string("y")]]])
        let plan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(note(9))), ModelVersion("2", try ManagedObjectModel(note(8)))],
            stages: [.custom(from: "1", to: "2", [EntityTransform("Note") { _, _, _ in .drop }])])
        #expect(try Self.open(earlier, note(8), plan: plan).values("Note").isEmpty)
    }

    @Test(
        "a store of an unknown model version is rejected, and the error names the nearest version",
        arguments: StoreKind.allCases)
    func unknown(_ kind: StoreKind) throws {
        let other = [
            EntityDescription("Person", [attribute("name", optional: false), attribute("street"), attribute("town")])
        ]
        let earlier = try EarlierStore(kind, other)
        let error = try #require(failure { _ = try Self.open(earlier, plan: try Self.plan()) })
        #expect(error.code == .incompatibleModel)
        #expect(
            error.message.hasPrefix(
                "the migration plan: the store has none of the plan's versions; the nearest is “1”, which would "
                    + "require:\n  "
            ))
        let older = try #require(failure { _ = try Self.open(earlier, Self.second, plan: try Self.plan()) })
        #expect(
            older.message == "the migration plan: the store is opened with a model that is not its newest version, “3”")
    }

    @Test("one call tests a migration plan and reports its violations")
    func checked() throws {
        let split = EntityTransform("Employee") { old, new, _ in
            let name = try old.value("name", as: String.self)
            try new.set("firstName", to: name)
            try new.set("lastName", to: name)
            return .keep
        }
        func plan(_ transform: EntityTransform) throws -> MigrationPlan {
            try MigrationPlan(
                [
                    ModelVersion("2", try ManagedObjectModel(Self.second)),
                    ModelVersion("3", try ManagedObjectModel(Self.third)),
                ],
                stages: [.custom(from: "2", to: "3", [transform])])
        }
        #expect(try plan(split).violations() == [])
        let violations = try plan(EntityTransform("Employee") { _, _, _ in .keep }).violations()
        #expect(violations.count == 1)
        #expect(
            violations.first?.hasPrefix(
                "a store of version “2” cannot be migrated: Employee: a stage of the migration makes a row") == true)
    }

    @Test("loading with a migration reports progress, and canceling the task rolls the migration back")
    func loading() async throws {
        var rows: [Int64: [StoredValue]] = [:]
        for id in 1...20_000 { rows[Int64(id)] = [.string("A B"), .null, .null, .null, .integer(1)] }
        let earlier = try EarlierStore(.sqlite, Self.second, rows: ["Person": rows])
        let split = EntityTransform("Employee") { old, new, _ in
            try new.set("firstName", to: "A")
            try new.set("lastName", to: "B")
            return .keep
        }
        let model = try ManagedObjectModel(Self.third)
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("2", try ManagedObjectModel(Self.second)), ModelVersion("3", model)],
            stages: [.custom(from: "2", to: "3", [split])])
        // The task is canceled before the end, at whichever point it is noticed.
        let stopped = Mutex<Task<Void, any Error>?>(nil)
        var cancelling = description
        let hasBegun = AsyncStream.makeStream(of: Void.self)
        cancelling.migration.progress = { progress in
            if progress.rows == 4096 {
                stopped.withLock { $0?.cancel() }
                hasBegun.continuation.finish()
            }
        }
        let task = Task { [cancelling] in
            for await _ in hasBegun.stream { break }
            _ = try await PersistentContainer.load(model: model, cancelling, mainQueue: .private)
        }
        stopped.withLock { $0 = task }
        hasBegun.continuation.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try PersistentContainer.canMigrate(model: model, description).isPhysical)
        let loading = PersistentContainer.loading(model: model, description, mainQueue: .private)
        var last: MigrationProgress?
        for await progress in loading.progress { last = progress }
        #expect(last == MigrationProgress(rows: 20_000, totalRows: 20_000))
        let container = try await loading.container
        #expect(try container.coordinator.store.count(StoreRequest("Employee")) == 20_000)
        try container.close()
    }

    @Test("a preview is the same with and without a migration plan if no row changes", arguments: StoreKind.allCases)
    func rulesAlone(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.second, rows: ["Person": Self.rows.mapValues { $0 + [.integer(4)] }])
        defer { withExtendedLifetime(earlier) {} }
        let later = [
            EntityDescription(
                "Person",
                [attribute("name", optional: false, rules: [.maximumLength(11)])]
                    + Self.second[0].properties.dropFirst())
        ]
        let model = try ManagedObjectModel(later)
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(Self.first)), ModelVersion("2", model)],
            stages: [.inferred(from: "1", to: "2")])
        for preview in [
            try earlier.preview(later), try PersistentContainer.canMigrate(model: model, description),
        ] {
            #expect(preview.steps.map(\.kind) == [.changeRules])
            #expect(!preview.isPhysical)
            #expect(preview.violations.map(\.ids) == [[1, 2]])
        }
    }

    @Test("a plan with missing or repeated versions and stages is rejected")
    func plans() throws {
        let versions = [
            ModelVersion("1", try ManagedObjectModel(Self.first)),
            ModelVersion("2", try ManagedObjectModel(Self.second)),
            ModelVersion("3", try ManagedObjectModel(Self.third)),
        ]
        let split = EntityTransform("Employee", Self.split)
        func message(_ stages: [MigrationStage], _ versions: [ModelVersion]) -> String? {
            failure { _ = try MigrationPlan(versions, stages: stages) }?.message
        }
        #expect(message([], []) == "the migration plan: the plan has no versions")
        #expect(message([], [versions[0], versions[0]]) == "the migration plan: two versions have the name “1”")
        #expect(
            message([.inferred(from: "1", to: "2")], versions) == "the migration plan: no stage leads from “2” to “3”")
        #expect(
            message([.inferred(from: "1", to: "3")], versions)
                == "the migration plan: the stage from “1” to “3” does not end with the next version; no version can "
                + "be skipped")
        #expect(
            message([.inferred(from: "1", to: "2"), .inferred(from: "1", to: "2")], versions)
                == "the migration plan: two stages lead from “1” to “2”")
        #expect(message([.inferred(from: "1", to: "4")], versions) == "the migration plan: there is no version “4”")
        #expect(
            message([.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [split, split])], versions)
                == "the migration plan: two transforms make the rows of “Employee”")
        #expect(
            message(
                [.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [EntityTransform("Adress", Self.split)])],
                versions)
                == "the migration plan: version “3” has no entity “Adress”; did you mean Address?")
        #expect(
            message(
                [.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [EntityTransform("Address", Self.split)])],
                versions)
                == "the migration plan: “Address” is new in version “3” and has no old rows that a transform could "
                + "convert; insert its rows at the end of the stage"
        )
    }
}
