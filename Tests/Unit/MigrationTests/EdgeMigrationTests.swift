import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@testable import StrataSQLite

/// Changes that affect each other, and the errors of previews and readers.
@Suite("Changes that affect each other")
struct EdgeMigrationTests {
    private static func pair(_ source: Int64, _ target: Int64) -> JoinRow {
        JoinRow(JoinPair(source: source, target: target), sourcePosition: nil, targetPosition: nil)
    }

    @Test(
        "a default text with combining marks after quotes is stored unchanged in old rows",
        arguments: StoreKind.allCases)
    func oddDefault(_ kind: StoreKind) throws {
        // The quote and its mark form one character, and the quote still ends a text in SQL.
        let odd = "a'\u{301}, b'); --\u{0308}"
        let earlier = try EarlierStore(
            kind, [EntityDescription("P", [attribute("n")])], rows: ["P": [1: [.string("x")]]])
        defer { withExtendedLifetime(earlier) {} }
        let store = try earlier.open([
            EntityDescription(
                "P", [attribute("n"), attribute("odd", optional: false, default: .constant(.string(odd)))])
        ])
        #expect(try store.values("P") == [1: [.string("x"), .string(odd)]])
    }

    @Test(
        "a store without entities can be reopened and migrated to a model with an entity", arguments: StoreKind.allCases
    )
    func nothingBefore(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, [], rows: [:])
        defer { withExtendedLifetime(earlier) {} }
        if kind != .inMemory { try earlier.open([]).close() }
        let store = try earlier.open([EntityDescription("Note", [attribute("text")])])
        #expect(store.model.entities.map(\.name) == ["Note"])
        #expect(try store.reserveIdentifiers(1, of: "Note") == 1...1)
    }

    @Test("a renamed to-one relationship can become a many-to-many relationship", arguments: StoreKind.allCases)
    func renamedReference(_ kind: StoreKind) throws {
        let old = [
            EntityDescription("Dept", [relationship("members", to: "Person", .toMany, inverse: "dept")]),
            EntityDescription("Person", [relationship("dept", to: "Dept", inverse: "members")]),
        ]
        let new = [
            EntityDescription("Dept", [relationship("members", to: "Person", .toMany, inverse: "depts")]),
            EntityDescription(
                "Person",
                [
                    relationship("mainDept", to: "Dept", from: "dept"),
                    relationship("depts", to: "Dept", .toMany, inverse: "members"),
                ]),
        ]
        let earlier = try EarlierStore(
            kind, old, rows: ["Dept": [1: []], "Person": [5: [.integer(1)], 6: [.null]]])
        defer { withExtendedLifetime(earlier) {} }
        let store = try earlier.open(new)
        #expect(try store.values("Person") == [5: [.integer(1)], 6: [.null]])
        let join = try #require(store.model.joins.first)
        #expect(try store.joins(JoinRequest(join.name)).map { Set([$0.pair.source, $0.pair.target]) } == [[1, 5]])
    }

    @Test("attributes and entities can be renamed in a chain", arguments: StoreKind.allCases)
    func chain(_ kind: StoreKind) throws {
        let old = [
            EntityDescription("A", [attribute("mail"), attribute("email")]), EntityDescription("B", [attribute("x")]),
        ]
        let new = [
            EntityDescription(
                "B", [attribute("email", from: "mail"), attribute("contact", from: "email")], renamedFrom: ["A"]),
            EntityDescription("C", [attribute("x")], renamedFrom: ["B"]),
        ]
        let earlier = try EarlierStore(
            kind, old, rows: ["A": [1: [.string("m"), .string("e")]], "B": [2: [.string("x")]]])
        defer { withExtendedLifetime(earlier) {} }
        let store = try earlier.open(new)
        #expect(try store.values("B") == [1: [.string("m"), .string("e")]])
        #expect(try store.values("C") == [2: [.string("x")]])
    }

    @Test(
        "a new unique attribute with one default for all rows is rejected before a change",
        arguments: StoreKind.allCases
    )
    func sameInAll(_ kind: StoreKind) throws {
        let old = [EntityDescription("P", [attribute("name")])]
        let earlier = try EarlierStore(kind, old, rows: ["P": [1: [.null], 2: [.null]]])
        defer { withExtendedLifetime(earlier) {} }
        let new = [EntityDescription("P", [attribute("name"), attribute("at", .date, default: .now, unique: true)])]
        let preview = try earlier.preview(new)
        #expect(preview.violations.map(\.count) == [2])
        #expect(failure { _ = try earlier.open(new) }?.code == .validation)
        #expect(try earlier.open(old).values("P").count == 2)
    }

    @Test(
        "a preview counts all rows whose unique values become equal, including the first row",
        arguments: StoreKind.allCases)
    func convertedToTheSame(_ kind: StoreKind) throws {
        let old = [EntityDescription("P", [attribute("n", .string)])]
        let earlier = try EarlierStore(
            kind, old, rows: ["P": [1: [.string("1.0")], 2: [.string("1")], 5: [.string("1.00")], 6: [.string("2")]]])
        defer { withExtendedLifetime(earlier) {} }
        let preview = try earlier.preview([
            EntityDescription("P", [attribute("n", .decimal(scale: 2), unique: true)])
        ])
        #expect(preview.violations.map(\.count) == [3])
        #expect(preview.violations.first?.ids == [1, 2, 5])
    }

    @Test(
        "a store is not opened read-only with a narrower attribute type, but with a wider type",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func narrower(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("P", [attribute("n", .integer64)])], rows: ["P": [1: [.integer(70_000)]]])
        let model = try ManagedObjectModel([EntityDescription("P", [attribute("n", .integer16)])])
        let error = failure {
            _ = try PersistentContainer(model: model, earlier.description.readOnly, mainQueue: .private)
        }
        #expect(error?.code == .incompatibleModel)
        var options = MigrationOptions()
        options.mode = .refuse
        #expect(failure { _ = try earlier.open(model, options) }?.code == .incompatibleModel)
        // A wider type is read without a check.
        let wide = try EarlierStore(
            kind, [EntityDescription("P", [attribute("n", .integer16)])], rows: ["P": [1: [.integer(7)]]])
        let wider = try ManagedObjectModel([EntityDescription("P", [attribute("n", .integer64)])])
        let container = try PersistentContainer(model: wider, wide.description.readOnly, mainQueue: .private)
        #expect(try container.coordinator.store.values("P") == [1: [.integer(7)]])
        try container.close()
    }

    @Test(
        "a migration that only changes rules also creates the requested backup",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func backup(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, [EntityDescription("P", [attribute("n")])], rows: ["P": [1: [.null]]])
        let copy = earlier.folder.file("before")
        var options = MigrationOptions()
        options.backup = copy
        let later = [EntityDescription("P", [attribute("n", rules: [.maximumLength(3)], indexed: true)])]
        try earlier.open(later, options).close()
        let metadata = try PersistentContainer.metadata(of: kind.description(copy))
        #expect(try metadata.model?.versionHash() == earlier.model.versionHash())
        // A migration without changes creates no backup.
        options.backup = earlier.folder.file("none")
        try earlier.open(later, options).close()
        #expect(!FileManager.default.fileExists(atPath: earlier.folder.file("none").path))
    }

    @Test("a failed migration leaves no backup", arguments: [StoreKind.sqlite, .xml, .binary])
    func backupOfFailure(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("P", [attribute("n")])], rows: ["P": [1: [.string("none")]]])
        var options = MigrationOptions()
        options.backup = earlier.folder.file("before")
        let later = [EntityDescription("P", [attribute("n", .integer64)])]
        #expect(failure { _ = try earlier.open(later, options) }?.code == .validation)
        #expect(!FileManager.default.fileExists(atPath: earlier.folder.file("before").path))
    }

    @Test(
        "a migration rejected before its commit leaves no backup",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func backupOfRefusal(_ kind: StoreKind) throws {
        struct NotNow: Error {}
        let earlier = try EarlierStore(
            kind, [EntityDescription("P", [attribute("n")])], rows: ["P": [1: [.string("7")]]])
        let copy = earlier.folder.file("before")
        var options = MigrationOptions()
        options.backup = copy
        let later = [EntityDescription("P", [attribute("n", .integer64)])]
        let wasThere = Mutex(false)
        options.willCommit = {
            wasThere.withLock { $0 = FileManager.default.fileExists(atPath: copy.path) }
            throw NotNow()
        }
        #expect(throws: NotNow.self) { try earlier.open(later, options).close() }
        #expect(wasThere.withLock { $0 })
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        let model = try PersistentContainer.metadata(of: earlier.description).model
        #expect(try model?.versionHash() == earlier.model.versionHash())
    }

    @Test("converting an invalid stored number throws, and a nonzero Boolean is converted as true")
    func unconvertible() throws {
        func earlier(_ sql: String) throws -> EarlierStore {
            let store = try EarlierStore(
                .sqlite, [EntityDescription("P", [attribute("flag", .boolean), attribute("x", .double)])],
                rows: ["P": [1: [.boolean(true), .double(1)]]])
            try Self.sqlite(store.url, sql)
            return store
        }
        let infinite = try earlier("UPDATE P SET x = 9e999")
        let error = failure {
            _ = try infinite.open([EntityDescription("P", [attribute("flag", .boolean), attribute("x", .string)])])
        }
        #expect(error?.code == .corrupt)
        #expect(error?.path == infinite.url.path)
        let seven = try earlier("UPDATE P SET flag = 7")
        let store = try seven.open([EntityDescription("P", [attribute("flag", .string), attribute("x", .double)])])
        #expect(try store.values("P") == [1: [.string("true"), .double(1)]])
    }

    /// Runs a statement on the file as another program would.
    private static func sqlite(_ url: URL, _ sql: String) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .seconds(5))
        defer { connection.close() }
        try connection.execute(sql)
    }

    @Test("a canceled search for equal values leaves the store unchanged", arguments: StoreKind.allCases)
    func cancelledLook(_ kind: StoreKind) throws {
        let rows = Dictionary(uniqueKeysWithValues: (1...5000).map { (Int64($0), [StoredValue.string("\($0)")]) })
        let earlier = try EarlierStore(kind, [EntityDescription("P", [attribute("n")])], rows: ["P": rows])
        defer { withExtendedLifetime(earlier) {} }
        var options = MigrationOptions()
        options.isCancelled = { true }
        for type in [AttributeType.string, .integer32] {
            #expect(throws: CancellationError.self) {
                try earlier.open([EntityDescription("P", [attribute("n", type, unique: true)])], options)
            }
        }
        #expect(try earlier.open([EntityDescription("P", [attribute("n")])]).values("P") == rows)
    }

    // MARK: Stages

    private static let notes = [
        EntityDescription("Note", [attribute("text"), relationship("tags", to: "Tag", .toMany, inverse: "notes")]),
        EntityDescription("Tag", [attribute("name"), relationship("notes", to: "Note", .toMany, inverse: "tags")]),
    ]
    private static let titled = [
        EntityDescription(
            "Note", [attribute("text"), attribute("title"), relationship("tags", to: "Tag", .toMany, inverse: "notes")]),
        notes[1],
    ]

    private static func plan(
        drops: MigrationOptions.Drops = .nothing, _ transforms: [EntityTransform],
        finish: ((MigratingRows) throws -> Void)? = nil
    ) throws -> MigrationPlan {
        let versions = [
            ModelVersion("1", try ManagedObjectModel(notes)), ModelVersion("2", try ManagedObjectModel(titled)),
        ]
        guard let finish else {
            return try MigrationPlan(versions, stages: [.custom(from: "1", to: "2", drops: drops, transforms)])
        }
        // SAFETY: the closure runs once, in the opening that the test waits for.
        nonisolated(unsafe) let body = finish
        return try MigrationPlan(
            versions, stages: [.custom(from: "1", to: "2", drops: drops, transforms) { try body($0) }])
    }

    private static func open(
        _ earlier: EarlierStore, _ plan: MigrationPlan, keepsBroken: Bool = false
    ) throws -> any PersistentStore {
        var description = earlier.description
        description.migrationPlan = plan
        description.migration.keepsRowsThatBreakRules = keepsBroken
        return try PersistentContainer(
            model: try ManagedObjectModel(titled), description, mainQueue: .private
        ).coordinator.store
    }

    @Test(
        "dropping a row in a stage deletes its join rows, and a join row to a missing row is rejected",
        arguments: StoreKind.allCases)
    func droppedRows(_ kind: StoreKind) throws {
        func earlier() throws -> EarlierStore {
            try EarlierStore(
                kind, Self.notes,
                rows: ["Note": [1: [.string("a")], 2: [.string("b")]], "Tag": [7: [.string("t")]]],
                pairs: ["Note_tags": [Self.pair(1, 7), Self.pair(2, 7)]])
        }
        let drop = EntityTransform("Note") { old, _, _ in old.id.rawValue == 1 ? .drop : .keep }
        let first = try earlier()
        let store = try Self.open(first, try Self.plan([drop]))
        #expect(try store.values("Note") == [2: [.string("b"), .null]])
        #expect(try store.joins(JoinRequest("Note_tags")).map(\.pair) == [JoinPair(source: 2, target: 7)])
        let second = try earlier()
        let inventing = try Self.plan([drop]) { rows in
            try rows.relate("tags", of: "Note", owner: 99, to: 7)
        }
        let error = failure { _ = try Self.open(second, inventing) }
        #expect(error?.code == .danglingReference, "\(error.map { "\($0)" } ?? "none")")
    }

    @Test(
        "a preview with a plan ignores obstacles that the plan's code handles, and rejects an unknown store",
        arguments: StoreKind.allCases)
    func previewed(_ kind: StoreKind) throws {
        let old = [EntityDescription("P", [attribute("name"), attribute("when", .date)])]
        let new = [EntityDescription("P", [attribute("first"), attribute("when", .uuid)])]
        let earlier = try EarlierStore(kind, old, rows: ["P": [1: [.string("a b"), .null]]])
        defer { withExtendedLifetime(earlier) {} }
        let plan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(old)), ModelVersion("2", try ManagedObjectModel(new))],
            stages: [
                .custom(
                    from: "1", to: "2",
                    [
                        EntityTransform("P") { old, new, _ in
                            try new.set("first", to: try old.value("name", as: String.self))
                            return .keep
                        }
                    ])
            ])
        let model = try ManagedObjectModel(new)
        #expect(try !earlier.preview(new).obstacles.isEmpty)
        var description = earlier.description
        description.migrationPlan = plan
        let preview = try PersistentContainer.canMigrate(model: model, description)
        #expect(preview.obstacles.isEmpty && preview.drops.isEmpty && preview.isPhysical)
        #expect(preview.isAllowed(description.migration))
        let other = try EarlierStore(kind, [EntityDescription("Q", [attribute("z")])])
        defer { withExtendedLifetime(other) {} }
        var unknown = other.description
        unknown.migrationPlan = plan
        #expect(
            failure { _ = try PersistentContainer.canMigrate(model: model, unknown) }?.code == .incompatibleModel)
    }

    @Test("rows may also break rules after a migration stage if the options permit it", arguments: StoreKind.allCases)
    func brokenCounts(_ kind: StoreKind) throws {
        let strict = [
            EntityDescription(
                "Note",
                [
                    attribute("text"), attribute("title"),
                    relationship("tags", to: "Tag", .toMany, inverse: "notes", optional: false),
                ]), Self.notes[1],
        ]
        let earlier = try EarlierStore(kind, Self.notes, rows: ["Note": [1: [.string("a")]]])
        defer { withExtendedLifetime(earlier) {} }
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(Self.notes)), ModelVersion("2", try ManagedObjectModel(strict))],
            stages: [.custom(from: "1", to: "2", [EntityTransform("Note") { _, _, _ in .keep }])])
        let model = try ManagedObjectModel(strict)
        func open() throws -> any PersistentStore {
            try PersistentContainer(model: model, description, mainQueue: .private).coordinator.store
        }
        #expect(failure { _ = try open() }?.code == .validation)
        description.migration.keepsRowsThatBreakRules = true
        #expect(try open().values("Note") == [1: [.string("a"), .null]])
    }

    @Test(
        "an invalid stored value stops a stage, and the error names entity, attribute and row"
    )
    func impossibleRow() throws {
        func model(_ more: [EntityDescription.Property]) throws -> ManagedObjectModel {
            try ManagedObjectModel([EntityDescription("P", [attribute("n", .integer16)] + more)])
        }
        let (old, new) = (try model([]), try model([attribute("twice", .integer64)]))
        let earlier = try EarlierStore(.sqlite, old.entities, rows: ["P": [1: [.integer(1)], 2: [.integer(2)]]])
        try Self.sqlite(earlier.url, "UPDATE P SET n = 100000 WHERE id = 2")
        let number = try old.dynamicEntity("P").attribute("n", as: Int16?.self)
        let twice = EntityTransform("P") { old, new, _ in
            try new.setStored("twice", to: old[number].map { .integer(2 * Int64($0)) } ?? .null)
            return .keep
        }
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", old), ModelVersion("2", new)], stages: [.custom(from: "1", to: "2", [twice])])
        let error = failure { _ = try PersistentContainer(model: new, description, mainQueue: .private) }
        #expect(error?.entity == "P")
        #expect(error?.attribute == "n")
        #expect(error?.id == 2)
        #expect(
            error?.message.hasPrefix("given an integer, where an optional integer16 is expected") == true,
            "\(error?.message ?? "none")")
        #expect(try earlier.open(old.entities).model.entities[0].columns.count == 1)
    }
}
