import Foundation
import StrataCore
import StrataInMemory
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Synchronization
import Testing

@testable import StrataSQLite

/// Copies of whole stores to another location or to another kind of store.
@Suite("Copies of stores")
struct CopyingTests {
    private static let model = [EntityDescription("Note", [attribute("text"), attribute("code", unique: true)])]
    private static let rows: [String: [Int64: [StoredValue]]] = [
        "Note": [3: [.string("three"), .string("c")], 7: [.string(""), .null]]
    ]

    private func earlier(_ kind: StoreKind = .sqlite) throws -> EarlierStore {
        try EarlierStore(kind, Self.model, rows: Self.rows)
    }

    private func container(_ store: EarlierStore) throws -> PersistentContainer {
        try PersistentContainer(model: store.model, store.description, mainQueue: .private)
    }

    @Test(
        "a copy has the rows, versions, join rows, next identifiers, metadata and the identifier of the store",
        arguments: StoreKind.allCases, Seeds.first(4, of: 0..<200))
    func whole(_ kind: StoreKind, _ seed: UInt64) throws {
        let world = MigrationWorld(seed: seed)
        let earlier = try EarlierStore(
            kind, try world.model(), rows: try world.storedRows(), pairs: try world.storedPairs())
        let container = try container(earlier)
        let store = container.coordinator.store
        let entity = try #require(earlier.model.entities.first).name
        _ = try store.reserveIdentifiers(40, of: entity)
        try container.setMetadata(["customer": "Ada\n\u{1}", "empty": ""])
        // These rows get versions greater than 1.
        for row in try store.rows(StoreRequest(entity)).prefix(3) {
            var changes = ChangeSet()
            changes[entity].updates = [
                ChangeSet.Update(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: [])
            ]
            _ = try store.save(changes)
        }
        for (target, isReplacing) in [StoreKind.sqlite, .xml, .binary].flatMap({ [($0, false), ($0, true)] }) {
            let copied = target.description(earlier.folder.file("copy-\(target)-\(isReplacing)"))
            if isReplacing {
                let other = try PersistentContainer(
                    model: try ManagedObjectModel(Self.model), copied, mainQueue: .private)
                try other.setMetadata(["mine": "yes"])
                try other.close()
            }
            try container.copyPersistentStore(to: copied, options: CopyOptions(replacesStore: isReplacing))
            let copy = try PersistentContainer(model: earlier.model, copied, mainQueue: .private)
            #expect(try copy.coordinator.store.state() == store.state(), "seed \(seed)")
            try copy.close()
            var faults: [StoreFault] = []
            _ = try PersistentContainer.check(model: earlier.model, copied) { faults.append($0) }
            #expect(faults.isEmpty, "seed \(seed)")
        }
        try container.close()
    }

    @Test("a copy replaces an existing file only on request and only if the file is a store")
    func taken() throws {
        let earlier = try earlier()
        let url = earlier.folder.file("taken")
        for text in ["", "some text", String(repeating: "x", count: 5000)] {
            try Data(text.utf8).write(to: url)
            let options = CopyOptions(replacesStore: text.isEmpty)
            if text.isEmpty {
                try PersistentContainer.copyPersistentStore(earlier.description, to: .sqlite(at: url), options: options)
                #expect(try PersistentContainer.metadata(of: .sqlite(at: url)).model?.entities.count == 1)
                continue
            }
            for (replaces, code) in [(false, PersistenceError.Code.cannotCreate), (true, .notADatabase)] {
                let error = failure {
                    try PersistentContainer.copyPersistentStore(
                        earlier.description, to: .sqlite(at: url), options: CopyOptions(replacesStore: replaces))
                }
                #expect(error?.code == code)
                #expect(error?.path == url.path)
                #expect(try Data(contentsOf: url) == Data(text.utf8))
            }
        }
    }

    @Test("removing, opening or replacing a foreign file fails and leaves the file and its neighbors unchanged")
    func besides() throws {
        let earlier = try earlier()
        let (url, journal) = (earlier.folder.file("notes"), earlier.folder.file("notes-journal"))
        let (text, other) = (Data(String(repeating: "x", count: 5000).utf8), Data("mine".utf8))
        try text.write(to: url)
        try other.write(to: journal)
        let model = earlier.model
        for attempt in [
            { try PersistentContainer.destroyPersistentStore(.sqlite(at: url)) },
            { _ = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private) },
            {
                try PersistentContainer.copyPersistentStore(
                    earlier.description, to: .sqlite(at: url), options: CopyOptions(replacesStore: true))
            },
        ] as [() throws -> Void] {
            #expect(failure(attempt)?.code == .notADatabase)
            #expect(try Data(contentsOf: url) == text)
            #expect(try Data(contentsOf: journal) == other)
        }
        #expect(
            failure { try PersistentContainer.copyPersistentStore(earlier.description, to: .sqlite(at: url)) }?.code
                == .cannotCreate)
    }

    @Test("replacing a store also deletes foreign tables that reference the store's tables")
    func tablesOfOthers() throws {
        let (source, target) = (try earlier(), try earlier())
        defer { withExtendedLifetime(target) {} }
        let connection = try SQLiteConnection(path: target.url.path, access: .readWrite, busyTimeout: .zero)
        try connection.execute(
            """
            CREATE TABLE remarks (note INTEGER REFERENCES "Note" ("id")); INSERT INTO remarks VALUES (3);
            CREATE VIEW remarked AS SELECT note FROM remarks
            """)
        connection.close()
        try PersistentContainer.replacePersistentStore(target.description, with: source.description)
        let store = try SQLiteStore.open(at: target.url, model: source.model)
        #expect(try store.values("Note") == Self.rows["Note"])
        try store.close()
        let reader = try SQLiteConnection(path: target.url.path, access: .readOnly, busyTimeout: .zero)
        defer { reader.close() }
        #expect(try reader.number("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'remark%'") == 0)
    }

    @Test("an open store can be copied in its current state, but cannot be replaced")
    func inUse() throws {
        let (source, target) = (try earlier(), try earlier())
        let (writer, reader) = (try container(source), try container(target))
        let error = failure {
            try PersistentContainer.replacePersistentStore(target.description, with: source.description)
        }
        #expect(error?.code == .locked)
        try reader.close()
        try PersistentContainer.replacePersistentStore(target.description, with: source.description)
        try writer.copyPersistentStore(to: .sqlite(at: source.folder.file("b")))
        // This copies the store onto itself.
        #expect(
            failure {
                try writer.copyPersistentStore(to: source.description, options: CopyOptions(replacesStore: true))
            }?.code == .locked)
        try writer.close()
    }

    @Test("the progress of a large copy is reported before its end")
    func progress() throws {
        let long = StoredValue.string(String(repeating: "x", count: 20_000))
        let text = EntityDescription("Text", [.attribute(AttributeDescription("text", .string))])
        let earlier = try EarlierStore(
            .sqlite, [text],
            rows: ["Text": Dictionary(uniqueKeysWithValues: (1...500).map { (Int64($0), [long]) })])
        let container = try container(earlier)
        let steps = Mutex<[MigrationProgress]>([])
        var options = CopyOptions()
        options.progress = { step in steps.withLock { $0.append(step) } }
        try container.copyPersistentStore(to: .sqlite(at: earlier.folder.file("copy")), options: options)
        let rows = steps.withLock { $0.map(\.rows) }
        #expect(rows.count > 1 && rows == rows.sorted() && rows.last == 500, "\(rows)")
        #expect(rows.dropLast().allSatisfy { 0 < $0 && $0 < 500 }, "\(rows)")
        try container.close()
    }

    @Test(
        "a copy also checks for cancellation while it copies join rows",
        arguments: StoreKind.allCases.filter { $0 != .inMemory })
    func cancelledAmongPairs(_ kind: StoreKind) throws {
        let model = [
            EntityDescription("Note", [relationship("tags", to: "Tag", .toMany, inverse: "notes")]),
            EntityDescription("Tag", [relationship("notes", to: "Note", .toMany, inverse: "tags")]),
        ]
        let rows = Dictionary(uniqueKeysWithValues: (Int64(1)...100).map { ($0, [StoredValue]()) })
        let pairs = rows.keys.flatMap { note in
            rows.keys.map { JoinRow(JoinPair(source: note, target: $0), sourcePosition: nil, targetPosition: nil) }
        }
        /// Returns the number of tests for cancellation in a copy that one of them cancels; 0 cancels none.
        func looks(_ pairs: [JoinRow], cancelledAt place: Int) throws -> Int {
            let source = try EarlierStore(
                .inMemory, model, rows: ["Note": rows, "Tag": rows], pairs: ["Note_tags": pairs])
            let container = try container(source)
            let looks = Mutex(0)
            var options = CopyOptions()
            options.isCancelled = {
                looks.withLock { looks in
                    looks += 1
                    return looks == place
                }
            }
            try container.copyPersistentStore(
                to: kind.description(source.folder.file("copy")), options: options)
            return looks.withLock { $0 }
        }
        let (without, with) = (try looks([], cancelledAt: 0), try looks(pairs, cancelledAt: 0))
        // A copy of ten thousand join rows tests for cancellation every few thousand.
        #expect(with >= without + 2)
        for place in 1...with { #expect(throws: CancellationError.self) { try looks(pairs, cancelledAt: place) } }
    }

    @Test("a canceled copy or a copy to an invalid location leaves the target unchanged")
    func cancelled() throws {
        let source = try earlier()
        let container = try container(source)
        let target = try earlier()
        let before = try Data(contentsOf: target.url)
        var options = CopyOptions(replacesStore: true)
        options.willCommit = { throw CancellationError() }
        #expect(throws: CancellationError.self) {
            try container.copyPersistentStore(to: target.description, options: options)
        }
        let url = source.folder.file("new")
        #expect(throws: CancellationError.self) {
            try container.copyPersistentStore(to: .sqlite(at: url), options: options)
        }
        options.willCommit = {}
        options.isCancelled = { true }
        #expect(throws: CancellationError.self) {
            try container.copyPersistentStore(to: .sqlite(at: url), options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(try target.open(Self.model).values("Note") == Self.rows["Note"])
        #expect(before.count == (try Data(contentsOf: target.url)).count)
        #expect(
            failure { try container.copyPersistentStore(to: .sqlite(at: url.appendingPathComponent("no"))) }?.code
                == .cannotCreate)
        try container.close()
    }

    @Test(
        "the last progress report of a copy of any kind counts all rows", arguments: StoreKind.allCases
    )
    func progress(_ kind: StoreKind) throws {
        let source = try earlier(kind)
        let container = try container(source)
        for (target, replaces) in [StoreKind.sqlite, .xml, .binary].flatMap({ [($0, false), ($0, true)] }) {
            let reported = Mutex<MigrationProgress?>(nil)
            var options = CopyOptions(replacesStore: replaces)
            options.progress = { step in reported.withLock { $0 = step } }
            try container.copyPersistentStore(
                to: target.description(source.folder.file("reported-\(target)")), options: options)
            #expect(reported.withLock { $0 } == MigrationProgress(rows: 2, totalRows: 2))
        }
        try container.close()
    }

    @Test("an open container throws at its next access after its store was replaced")
    func replacedStore() throws {
        let (source, target) = (try earlier(), try earlier())
        try PersistentContainer.replacePersistentStore(target.description, with: source.description)
        let once = try PersistentContainer.metadata(of: target.description)
        #expect(once.information.formatVersion == 3)
        func generation() throws -> String? {
            let connection = try SQLiteConnection(path: target.url.path, access: .readOnly, busyTimeout: .zero)
            defer { connection.close() }
            return try connection.text("SELECT value FROM strata_metadata WHERE key = 'generation'")
        }
        #expect(try generation() == "1")
        // The generation continues, so that no connection confuses the two stores.
        try PersistentContainer.replacePersistentStore(target.description, with: source.description)
        #expect(try generation() == "2")
        let store = try SQLiteStore.open(at: target.url, model: source.model)
        #expect(try store.values("Note") == Self.rows["Note"])
        try store.close()
    }

    @Test("a container can move its store to another location")
    func moving() throws {
        let source = try earlier(.inMemory)
        let url = source.folder.file("later.sqlite")
        let container = try container(source)
        let moved = try container.migratePersistentStore(to: .sqlite(at: url))
        #expect(throws: PersistenceError.self) { try container.metadata() }
        #expect(try moved.coordinator.store.values("Note") == Self.rows["Note"])
        try moved.close()
    }

    @Test(
        "rows that break a rule of the model are copied unchanged",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func broken(_ target: StoreKind) throws {
        let source = try earlier()
        let tight = [
            EntityDescription("Note", [attribute("text", rules: [.minimumLength(1)]), attribute("code", unique: true)])
        ]
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        try source.open(tight, options).close()
        let model = try ManagedObjectModel(tight)
        let copied = target.description(source.folder.file("copy-\(target)"))
        // The copy is made row by row, and not page by page.
        for replaces in [false, true] {
            try PersistentContainer.copyPersistentStore(
                source.description, to: copied, model: model, options: CopyOptions(replacesStore: replaces))
            let container = try PersistentContainer(model: model, copied, mainQueue: .private)
            #expect(try container.coordinator.store.values("Note") == Self.rows["Note"])
            try container.close()
        }
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: model, copied) { faults.append($0) }
        #expect(faults.count == 1)
    }

    @Test("an in-memory store cannot be copied to or read before it is opened")
    func nowhere() throws {
        let source = try earlier()
        for description in [PersistentStoreDescription.inMemory, .custom("mine") { InMemoryStore(model: $0) }] {
            #expect(failure { _ = try PersistentContainer.metadata(of: description) }?.code == .invalidRequest)
            #expect(
                failure {
                    try PersistentContainer.copyPersistentStore(source.description, to: description)
                }?.code == .invalidRequest)
        }
    }

    @Test("a store's description and metadata are read without its model")
    func metadata() throws {
        let source = try earlier()
        let container = try container(source)
        try container.setMetadata(["b": "2", "a": "1", "gone": "x"])
        try container.setMetadata(["gone": nil, "a": "one"])
        #expect(try container.metadata() == ["a": "one", "b": "2"])
        // The store is open here.
        let metadata = try PersistentContainer.metadata(of: source.description)
        #expect(metadata.texts == ["a": "one", "b": "2"])
        #expect(metadata.information.kind == "SQLite")
        #expect(try metadata.information.identifier == container.coordinator.store.information().identifier)
        #expect(try metadata.model?.versionHash() == source.model.versionHash())
        try container.close()
        #expect(
            failure {
                _ = try PersistentContainer.metadata(of: .sqlite(at: source.folder.file("none")))
            }?.code == .storeNotFound)
    }
}

/// All data of a store.
private struct StoreState: Equatable {
    var identifier: UUID
    var rows: [String: [StoredRow]] = [:]
    var pairs: [String: [JoinRow]] = [:]
    var marks: [String: Int64]
    var texts: [String: String]
}

extension PersistentStore {
    fileprivate func state() throws -> StoreState {
        let snapshot = try #require(try openSnapshots(1).first)
        defer { snapshot.close() }
        var state = StoreState(
            identifier: try information().identifier, marks: try snapshot.identifierMarks(),
            texts: try snapshot.metadata())
        for entity in model.entities { state.rows[entity.name] = try snapshot.rows(StoreRequest(entity.name)) }
        for join in model.joins { state.pairs[join.name] = try snapshot.joins(JoinRequest(join.name)) }
        return state
    }
}
