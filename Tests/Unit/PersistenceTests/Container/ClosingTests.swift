import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Closing and destroying stores")
struct ClosingTests {
    @Test(
        "every call of a closed container throws, and closing the container again has no effect",
        arguments: StoreKind.allCases)
    func close(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try stack.team("Reds")
        try stack.container.close()
        try stack.container.close()
        let context = stack.background
        func expectClosed(_ error: PersistenceError) {
            #expect(error.code == .closed && error.message == "the store was closed")
        }
        expectClosed(
            try persistenceError { _ = try context.performAndWait { try $0.fetch(FetchRequest<Team>()).count } })
        expectClosed(try persistenceError { _ = try context.performAndWait { try $0.count(FetchRequest<Team>()) } })
        expectClosed(
            try persistenceError {
                try context.performAndWait { context in
                    try context.insert(Team.self) { Team(id: $0, name: "Blues") }
                    try context.save()
                }
            })
        expectClosed(try persistenceError { try stack.container.batchInsert(into: "Team") { _ in } })
        await #expect(throws: PersistenceError.self) { try await context.count(FetchRequest<Team>()) }
        await #expect(throws: PersistenceError.self) { for try await _ in context.stream(FetchRequest<Team>()) {} }
    }

    @Test("a stream throws an error if the container is closed meanwhile", arguments: StoreKind.allCases)
    func stream(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try stack.container.batchInsert(into: "Team") { rows in
            for number in 1...600 {
                try rows.insert(
                    values: [.string("T"), .null, .integer(0)], location: RowLocation(line: number, record: number))
            }
        }
        var iterator = stack.background.stream(FetchRequest<Team>()).makeAsyncIterator()
        #expect(try await iterator.next()?.id.rawValue == 1)
        try stack.container.close()
        await #expect(throws: PersistenceError.self) { while try await iterator.next() != nil {} }
    }

    @Test("destroying a store removes its files, and destroying it again has no effect")
    func destroy() throws {
        let stack = try StoreKind.sqlite.league()
        try stack.team("Reds")
        try stack.container.destroyPersistentStore()
        try stack.container.destroyPersistentStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.url.path).isEmpty)
        #expect(throws: PersistenceError.self) { try stack.team("Blues") }
        let again = try PersistentContainer(
            model: try League.model(), .sqlite(at: stack.folder.file("store.sqlite")), mainQueue: .private)
        #expect(try again.backgroundContext.performAndWait { try $0.newID(for: Team.self).rawValue } == 1)
        try again.close()
    }

    @Test("destroying an in-memory store closes the store")
    func destroyInMemory() throws {
        let stack = try StoreKind.inMemory.league()
        try stack.container.destroyPersistentStore()
        try stack.container.destroyPersistentStore()
        #expect(throws: PersistenceError.self) { try stack.team("Blues") }
    }

    @Test("destroying a file that is not a store throws and does not change the file")
    func destroyForeign() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        let text = Data("my notes".utf8)
        try text.write(to: url)
        let error = try persistenceError { try PersistentContainer.destroyPersistentStore(.sqlite(at: url)) }
        #expect("\(error)" == "\(url.path): this is not a SQLite database")
        #expect(try Data(contentsOf: url) == text)
    }

    @Test("destroying a store that is open elsewhere throws and keeps the store")
    func destroyOpen() throws {
        let stack = try StoreKind.sqlite.league()
        try stack.team("Reds")
        var description = PersistentStoreDescription.sqlite(at: stack.folder.file("store.sqlite"))
        description.busyTimeout = .milliseconds(20)
        let error = try persistenceError { try PersistentContainer.destroyPersistentStore(description) }
        #expect(error.code == .locked)
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds"])
    }

    @Test("a released container that was not closed leaves no companion files", arguments: 1...3)
    func dropped(_ round: Int) throws {
        let folder = try TemporaryFolder()
        for number in 1...round {
            let container = try PersistentContainer(
                model: try League.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
            try container.backgroundContext.performAndWait { context in
                try context.insert(Team.self) { Team(id: $0, name: "T\(number)") }
                try context.save()
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
    }
}
