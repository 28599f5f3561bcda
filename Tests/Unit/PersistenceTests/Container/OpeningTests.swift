import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A store of another model is rejected with the differences and stays unchanged.
@Suite("Opening a store")
struct OpeningTests {
    /// Expects that opening `url` fails and leaves the folder unchanged byte by byte, and returns the error.
    private func refusal(
        _ folder: TemporaryFolder, model: ManagedObjectModel? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PersistenceError {
        let before = try contents(folder)
        let error = try persistenceError(sourceLocation: sourceLocation) {
            _ = try PersistentContainer(
                model: try model ?? League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        }
        #expect(try contents(folder) == before, "the folder was changed", sourceLocation: sourceLocation)
        #expect(error.path == folder.file("store.sqlite").path, sourceLocation: sourceLocation)
        return error
    }

    private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                var isDirectory: ObjCBool = false
                let path = folder.file(name).path
                _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                return (name, isDirectory.boolValue ? Data() : try Data(contentsOf: folder.file(name)))
            })
    }

    /// Returns the folder of a closed store of the league with one team.
    private func closedStore() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: try League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.save()
        }
        try container.close()
        return folder
    }

    private func overwrite(_ folder: TemporaryFolder, at offset: Int, with bytes: [UInt8]) throws {
        var data = try Data(contentsOf: folder.file("store.sqlite"))
        data.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        try data.write(to: folder.file("store.sqlite"))
    }

    @Test("a closed store is one file, which has the same rows when it is opened again")
    func again() throws {
        let folder = try closedStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
        let container = try PersistentContainer(
            model: try League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        let names = try container.backgroundContext.performAndWait {
            try $0.fetchRecords(FetchRequest<Team>()).map(\.name)
        }
        #expect(names == ["Reds"])
        try container.close()
    }

    @Test("opening an in-memory or custom store read-only throws")
    func readOnlyKinds() throws {
        let model = try League.model()
        let custom = PersistentStoreDescription.custom("cloud") { InMemoryStore(model: $0) }
        let messages = [
            "a store in memory is empty at the beginning, so it cannot be opened for reading only; only stores in files can",
            "a store of the kind “cloud” cannot be opened for reading only; only stores in files can",
        ]
        for (description, message) in zip([PersistentStoreDescription.inMemory, custom], messages) {
            let error = try persistenceError {
                _ = try PersistentContainer(model: model, description.readOnly, mainQueue: .private)
            }
            #expect(error.code == .invalidRequest)
            #expect("\(error)" == message)
        }
    }

    @Test("opening a store of another model without migration throws an error that lists the steps")
    func anotherModel() throws {
        let folder = try closedStore()
        let other = try ManagedObjectModel([
            EntityDescription(
                "Team",
                [
                    .attribute(.init("name", .string, isOptional: true, isIndexed: true)),
                    .attribute(.init("points", .integer32)), .attribute(.init("city", .string)),
                ]), EntityDescription("Stadium", []),
        ])
        var description = PersistentStoreDescription.sqlite(at: folder.file("store.sqlite"))
        let before = try Data(contentsOf: folder.file("store.sqlite"))
        description.migration.mode = .refuse
        for (description, reason) in [
            (description, "the options do not allow a migration"),
            (description.readOnly, "the store is open for reading only"),
        ] {
            let error = try persistenceError {
                _ = try PersistentContainer(model: other, description, mainQueue: .private)
            }
            #expect(error.code == .incompatibleModel)
            #expect(
                error.message == """
                    the store was created with another model, but \(reason); nothing was changed. \
                    Changes to this model:
                      make-optional Team.name
                      change-type Team.points integer32
                      add Team.city
                      remove Team.motto
                      add Stadium
                      remove Player
                      remove Coach
                      remove Trophy
                      remove Fan
                    """)
        }
        #expect(try Data(contentsOf: folder.file("store.sqlite")) == before)
    }

    @Test("opening a store with a newer file format throws")
    func newerFormat() throws {
        let folder = try closedStore()
        try overwrite(folder, at: 60, with: [0, 0, 0, 9])
        let error = try refusal(folder)
        #expect(error.code == .newerFormat)
        #expect(
            error.message == "the store has format 9, but this version of Strata supports formats up to 4; use a "
                + "newer version")
    }

    @Test("opening another application's database throws")
    func foreign() throws {
        let folder = try closedStore()
        try overwrite(folder, at: 68, with: [0, 0, 0, 0])
        let error = try refusal(folder)
        #expect(error.code == .foreignStore)
        #expect(error.message == "this is a database of another application, which is only read; nothing was changed")
    }

    /// A name, the contents of the file, and the kind of the file.
    static let noDatabases: [(String, String)] = [
        ("a short text", "id,name\n1,a\n"), ("a long text", String(repeating: "id,name\n", count: 500)),
        ("the beginning of a database", "SQLite format 3"),
    ]

    @Test("opening a file that is not a database throws", arguments: noDatabases)
    func noDatabase(_ name: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: folder.file("store.sqlite"))
        let error = try refusal(folder)
        #expect(error.code == .notADatabase)
        #expect("\(error)" == "\(folder.file("store.sqlite").path): this is not a SQLite database")
    }

    @Test("opening a folder throws")
    func directory() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("store.sqlite"), withIntermediateDirectories: false)
        let error = try refusal(folder)
        #expect(error.code == .notADatabase && error.message == "this is a folder, not a database")
    }

    @Test("opening a database with damaged pages throws")
    func damaged() throws {
        let folder = try closedStore()
        try overwrite(folder, at: 100, with: Array(repeating: 0xFF, count: 3000))
        let error = try refusal(folder)
        #expect(error.code == .corrupt)
    }

    @Test("creating a store in a missing folder throws")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("missing").appendingPathComponent("store.sqlite")
        let error = try persistenceError { _ = try PersistentContainer(model: try League.model(), .sqlite(at: url)) }
        #expect(error.code == .cannotCreate)
        #expect(
            "\(error)" == "\(url.path): the store cannot be created: there is no folder \(folder.file("missing").path)")
    }

    @Test("opening a missing store read-only throws and does not create it")
    func missing() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        let error = try persistenceError {
            _ = try PersistentContainer(model: try League.model(), .sqlite(at: url).readOnly)
        }
        #expect(error.code == .storeNotFound && error.message == "there is no store")
        #expect(try contents(folder).isEmpty)
    }

    @Test("opening an empty file creates a store in it")
    func emptyFile() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("store.sqlite"))
        let container = try PersistentContainer(
            model: try League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        #expect(try container.backgroundContext.performAndWait { try $0.count(FetchRequest<Team>()) } == 0)
        try container.close()
    }

    @Test("a store opened read-only returns its rows and rejects a save")
    func readOnly() throws {
        let folder = try closedStore()
        let before = try contents(folder)
        let container = try PersistentContainer(
            model: try League.model(), .sqlite(at: folder.file("store.sqlite")).readOnly, mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            let team = try #require(try context.fetch(FetchRequest<Team>()).first)
            team.name = "Blues"
            let error = try persistenceError { try context.save() }
            #expect(error.code == .readOnly && error.message == "the store is open for reading only")
        }
        try container.close()
        #expect(try contents(folder) == before)
    }

    @Test("loading a store asynchronously returns an open container or throws an error")
    func asynchronous() async throws {
        let folder = try closedStore()
        let container = try await PersistentContainer.load(
            model: try League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        #expect(try await container.backgroundContext.perform { try $0.count(FetchRequest<Team>()) } == 1)
        try container.close()
        let empty = try ManagedObjectModel([])
        await #expect(throws: PersistenceError.self) {
            _ = try await PersistentContainer.load(model: empty, .sqlite(at: folder.file("store.sqlite")))
        }
    }

    @Test("a custom store can be opened, saved and copied")
    func custom() throws {
        let store = InMemoryStore(model: try League.model())
        let container = try PersistentContainer(
            model: store.model, .custom("mine") { _ in store }, mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.save()
        }
        #expect(try store.count(StoreRequest("Team")) == 1)
        let copy = try PersistentContainer.inMemory(copyOf: store)
        try copy.backgroundContext.performAndWait { context in
            try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            try context.save()
        }
        #expect(try store.count(StoreRequest("Team")) == 1)
        #expect(try copy.coordinator.store.count(StoreRequest("Team")) == 2)
    }
}
