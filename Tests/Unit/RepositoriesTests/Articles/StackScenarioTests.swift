import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataStoreKit
import StrataTesting
import Testing

/// The scenarios of articles about testing Core Data stacks: setup, kinds of stores and contexts.
@Suite("Scenarios of the articles about stacks")
struct StackScenarioTests {
    @Test("loading a container returns a complete stack without a callback or a semaphore")
    func setUp() async throws {
        let folder = try TemporaryFolder()
        for description in [PersistentStoreDescription.inMemory, .sqlite(at: folder.file("store.sqlite"))] {
            let loaded = try PersistentContainer(model: ReferenceModel.model(), description, mainQueue: .private)
            #expect(loaded.model.entities.map(\.name) == ["Color", "Boss", "Employee", "Item"])
            #expect(try await loaded.backgroundContext.count(FetchRequest<Color>()) == 0)
            try loaded.close()
            let awaited = try await PersistentContainer.load(
                model: ReferenceModel.model(), description, mainQueue: .private)
            #expect(try await awaited.mainContext.count(FetchRequest<Color>()) == 0)
            try awaited.close()
        }
    }

    @Test("an SQLite store has a file, and an in-memory store has none")
    func kinds() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("colors.sqlite")
        let onDisk = try PersistentContainer(model: ReferenceModel.model(), .sqlite(at: url), mainQueue: .private)
        #expect(try onDisk.coordinator.store.information().kind == "SQLite")
        #expect(FileManager.default.fileExists(atPath: url.path))
        let inMemory = try PersistentContainer.inMemory(model: ReferenceModel.model())
        #expect(try inMemory.coordinator.store.information().kind == "in-memory")
        try onDisk.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["colors.sqlite"])
    }

    @Test("the main and the background context have the documented queue and merge policy")
    func contexts() async throws {
        let container = try PersistentContainer.inMemory(model: ReferenceModel.model(), mainQueue: .main)
        #expect(container.mainContext.usesMainQueue)
        #expect(await container.mainContext.mergePolicy == .error)
        #expect(container.mainContext.automaticallyMergesChangesFromParent)
        #expect(!container.backgroundContext.usesMainQueue)
        #expect(await container.backgroundContext.mergePolicy == .mergeByPropertyObjectTrump)
        #expect(!container.backgroundContext.automaticallyMergesChangesFromParent)
    }

    @Test("the main context merges saved changes of the background context", arguments: StoreKind.allCases)
    func mainMerges(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let colors = StoredColorRepository(stack.container.backgroundContext)
        let color = try await colors.create(hex: HexColor("#000080"), name: "Navy", dateCreated: .now)
        let main = stack.container.mainContext
        let before = try await main.perform { try $0.existingObject(with: color.id, of: Color.self).name }
        try await colors.update(color.id) { $0.name = "Midnight" }
        let after = try await main.perform { try $0.existingObject(with: color.id, of: Color.self).name }
        #expect(before == "Navy" && after == "Midnight")
    }

    @Test("destroying a test's store leaves no file")
    func destroyed() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: ReferenceModel.model(), .sqlite(at: folder.file("test.sqlite")), mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
            try context.save()
        }
        try container.destroyPersistentStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(throws: PersistenceError.self) {
            try container.backgroundContext.performAndWait { try $0.count(FetchRequest<Boss>()) }
        }
    }

    @Test("each test gets a separate stack over rows that were prepared once")
    func prepared() async throws {
        let hex = try HexColor("#123456")
        let palette = try PreparedStack(model: ReferenceModel.model()) { context in
            for number in 1...1000 {
                try context.insert(Color.self) { Color(id: $0, hex: hex, name: "\(number)", dateCreated: .now) }
            }
        }
        let (first, second) = (try palette.container(), try palette.container())
        let colors = StoredColorRepository(first.backgroundContext)
        #expect(try await colors.deleteAll() == 1000)
        #expect(try await StoredColorRepository(second.backgroundContext).count() == 1000)
        #expect(try await StoredColorRepository(palette.container().backgroundContext).count() == 1000)
        // The next identifier follows those of the prepared rows.
        let color = try await StoredColorRepository(second.backgroundContext).create(
            hex: hex, name: "new", dateCreated: .now)
        #expect(color.id.rawValue > 1000)
    }

    @Test("fixtures of a store file can be read in memory and as an SQLite store")
    func fixtureFile() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("fixtures.sqlite")
        let hex = try HexColor("#123456")
        let made = try PersistentContainer(model: ReferenceModel.model(), .sqlite(at: url), mainQueue: .private)
        let color = try await StoredColorRepository(made.backgroundContext).create(
            hex: hex, name: "Night", dateCreated: .now)
        try made.close()

        let fixtures = try PreparedStack(model: ReferenceModel.model(), copyOf: url)
        let colors = StoredColorRepository(try fixtures.container().backgroundContext)
        #expect(try await colors.find(color.id)?.name == "Night")

        let onDisk = try PreparedStore(model: ReferenceModel.model(), copyOf: url)
        let stack = try onDisk.temporaryCopy()
        #expect(try await StoredColorRepository(stack.container.backgroundContext).deleteAll() == 1)
        #expect(try await colors.count() == 1)
    }

    /// Returns the processor time of a body on this thread, which other tests and programs do not affect.
    private func processorTime(_ body: () throws -> Void) rethrows -> Int {
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let start = now()
        try body()
        return now() - start
    }

    @Test("copying 10,000 prepared rows takes less than a tenth of the time of inserting them")
    func preparedInNoTime() async throws {
        var prepared: PreparedStack?
        let making = try processorTime {
            prepared = try PreparedStack(model: ReferenceModel.model()) { context in
                for number in 1...10_000 {
                    try context.insert(Boss.self) { Boss(id: $0, firstName: "B", lastName: "\(number)") }
                }
            }
        }
        let stack = try #require(prepared)
        var containers: [PersistentContainer] = []
        let copying = try (0..<50).map { _ in try processorTime { containers.append(try stack.container()) } }
        #expect(try #require(copying.min()) < making / 10)
        #expect(try await containers[49].backgroundContext.count(FetchRequest<Boss>()) == 10_000)
    }
}
