import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// SQLite's query plans of the requests of contexts.
@Suite("Indexes that requests of contexts use")
struct ContextIndexTests {
    private static func plan<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Library.model())
        defer { try? store.close() }
        return try store.queryPlan(try request.lowered()).split(separator: "\n").map(String.init)
    }

    @Test("a typed predicate on an indexed attribute uses the index")
    func attribute() throws {
        let plan = try Self.plan(FetchRequest<Author>(where: #Predicate { $0.name == "Homer" }))
        #expect(plan == ["SEARCH Author USING INDEX Author_name (name=?)"])
    }

    @Test("a sort by an indexed attribute uses the index")
    func sort() throws {
        let plan = try Self.plan(FetchRequest<Author>(sort: [SortKey(\.name)], limit: 3))
        #expect(plan == ["SCAN Author USING INDEX Author_name"])
    }

    @Test("a condition on an indexed attribute of a related object looks up the related row by index")
    func toOne() throws {
        let plan = try Self.plan(
            FetchRequest<Book>(.related(\.author, matching: #Predicate<Author> { $0.name == "Homer" })))
        #expect(plan.contains { $0.contains("SEARCH _") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN _") }, "\(plan)")
    }

    @Test("a condition on a to-many relationship looks up the related objects by index")
    func toMany() throws {
        let plan = try Self.plan(FetchRequest<Author>(.any(\.books, matching: #Predicate { $0.pages > 9 })))
        #expect(plan.contains { $0.contains("INDEX Book_author (author=?)") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN _") }, "\(plan)")
    }

    @Test("a condition on a many-to-many relationship looks up join rows and objects by index from either side")
    func manyToMany() throws {
        let forth = try Self.plan(FetchRequest<Book>(.any(\.tags, matching: #Predicate { $0.word == "war" })))
        #expect(!forth.contains { $0.hasPrefix("SCAN _") }, "\(forth)")
        let back = try Self.plan(FetchRequest<Tag>(.count(\.books, .greater, 1)))
        #expect(back.contains { $0.contains("Book_tags_target (target=?)") }, "\(back)")
        #expect(!back.contains { $0.hasPrefix("SCAN _") }, "\(back)")
    }

    @Test("reading a relationship uses an index to find the related objects")
    func relationship() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Library.model())
        defer { try? store.close() }
        let one = StoreRequest("Book", where: .isIn(.property("author"), [.integer(1)]), sort: [.init("rank")])
        #expect(try store.queryPlan(one).contains("SEARCH Book USING INDEX Book_author (author=?)"))
        let contract = StoreRequest("Contract", where: .isIn(.property("author"), [.integer(1), .integer(2)]))
        #expect(try store.queryPlan(contract).contains("SEARCH Contract USING INDEX"))
    }

    @Test("a request that excludes objects with pending changes still uses an index")
    func pending() throws {
        let request = try FetchRequest<Author>(where: #Predicate { $0.name == "Homer" }).lowered().excluding([1, 2, 3])
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Library.model())
        defer { try? store.close() }
        #expect(try store.queryPlan(request).contains("SEARCH Author USING INDEX Author_name (name=?)"))
    }
}
