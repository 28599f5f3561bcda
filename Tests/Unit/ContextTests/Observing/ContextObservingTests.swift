import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Observing a context with its unsaved changes")
struct ContextObservingTests {
    private static let byName = FetchRequest<Player>(sort: [SortKey(\.name)])

    @Test("unsaved changes, rollbacks, saves and merges are values", arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann")
        let context = stack.container.newBackgroundContext(automaticallyMergesChangesFromParent: true)
        var players = context.observe(Self.byName).makeAsyncIterator()
        #expect(try await players.next()?.map(\.name) == ["Ann"])
        try await context.perform { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: "Ben") }
        }
        #expect(try await players.next()?.map(\.name) == ["Ann", "Ben"])
        // Two changes of one object that is not saved between them.
        for name in ["Bob", "Bill"] {
            try await context.perform { context in
                for player in try context.fetch(Self.byName) where player.name != "Ann" { player.name = name }
            }
            #expect(try await players.next()?.map(\.name) == ["Ann", name])
        }
        await context.perform { $0.rollback() }
        #expect(try await players.next()?.map(\.name) == ["Ann"])
        // A closure that changes nothing is no value; the commit of another context is one.
        _ = try await context.perform { try $0.count(Self.byName) }
        _ = try await stack.background.update(Player.self, id: ann.id) { $0.name = "Abe" }
        #expect(try await players.next()?.map(\.name) == ["Abe"])
        try stack.container.close()
        #expect(try await players.next() == nil)
    }

    @Test("the changes of a parent and of a child are values", arguments: StoreKind.allCases)
    func family(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let parent = stack.container.newBackgroundContext()
        let child = parent.newChildContext()
        var ofParent = parent.observe(Self.byName).makeAsyncIterator()
        var ofChild = child.observe(Self.byName).makeAsyncIterator()
        #expect(try await ofParent.next()?.isEmpty == true)
        #expect(try await ofChild.next()?.isEmpty == true)
        try await parent.perform { context in _ = try context.insert(Player.self) { Player(id: $0, name: "Ann") } }
        #expect(try await ofParent.next()?.map(\.name) == ["Ann"])
        #expect(try await ofChild.next()?.map(\.name) == ["Ann"])
        try await child.perform { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: "Ben") }
            try context.save()
        }
        #expect(try await ofParent.next()?.map(\.name) == ["Ann", "Ben"])
        #expect(try await ofChild.next()?.map(\.name) == ["Ann", "Ben"])
        // The store has none of them yet.
        #expect(try stack.stored(Player.self).isEmpty)
    }

    @Test("sections have the order of the request, one for each key, null included", arguments: StoreKind.allCases)
    func sections(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let (reds, blues) = (try stack.team("Reds").id, try stack.team("Blues").id)
        for (name, team) in [("Ann", blues), ("Ben", nil), ("Cyd", reds), ("Dan", blues)] {
            try stack.player(name, team: team)
        }
        let request = FetchRequest<Player>(sort: [SortKey(\.team, order: .reverse), SortKey(\.name)])
        var sections = stack.container.observe(request, sectionedBy: \.team).makeAsyncIterator()
        let first = try #require(try await sections.next())
        #expect(first.map(\.key) == [blues, reds, nil])
        #expect(first.map { $0.records.map(\.name) } == [["Ann", "Dan"], ["Cyd"], ["Ben"]])
        try stack.player("Eve", team: reds)
        let second = try #require(try await sections.next())
        #expect(second.map(\.key) == [blues, reds, nil])
        #expect(second.map { $0.records.map(\.name) } == [["Ann", "Dan"], ["Cyd", "Eve"], ["Ben"]])
        let unsorted = stack.container.observe(Self.byName, sectionedBy: \.team)
        let error = await #expect(throws: PersistenceError.self) { for try await _ in unsorted {} }
        #expect(error?.code == .invalidRequest)
    }
}
