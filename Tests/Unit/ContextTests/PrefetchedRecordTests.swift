import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@testable import StrataSQLite

/// Units of work over records accept relationships to prefetch, as units of work over objects do.
@Suite("Records with prefetched relationships")
struct PrefetchedRecordTests {
    @Test("a fetch, a count and a stream throw if they prefetch an unknown relationship", arguments: StoreKind.allCases)
    func unknown(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let stores: [any RecordContext] = [stack.background, try InMemoryRecords(try League.model())]
        let request = FetchRequest<Player>(prefetching: [.relationship("nonsense")])
        for records in stores {
            for call in 0..<3 {
                let error = await #expect(throws: PersistenceError.self) {
                    switch call {
                    case 0: _ = try await records.fetch(request)
                    case 1: _ = try await records.count(request)
                    default: for try await _ in records.stream(request) {}
                    }
                }
                #expect(error?.code == .invalidRequest)
                #expect(error?.message.contains("“nonsense”") == true)
            }
        }
    }

    @Test("a fetch that prefetches a relationship runs one statement for the relationship")
    func statements() throws {
        let stack = try StoreKind.sqlite.league()
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        try stack.background.performAndWait { context in
            for number in 1...50 {
                let team = try context.insert(Team.self) { Team(id: $0, name: "T\(number)") }
                try context.insert(Player.self) { Player(id: $0, name: "Ada", number: number, team: team.id) }
            }
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let players = ToMany<Team, Player>("players", to: "Player", inverse: "team")
            let before = try store.pool.withConnection(\.counts).runs
            let teams = try context.fetchRecords(FetchRequest<Team>(prefetching: [.relationship("players")]))
            let numbers = try teams.map { team in
                try context.objects(of: context.existingObject(with: team.id, of: Team.self), through: players)
                    .compactMap(\.number)
            }
            #expect(numbers == (1...50).map { [$0] })
            #expect(try store.pool.withConnection(\.counts).runs - before == 2)
        }
    }

    @Test(
        "a child context can delete an object that refers to an object with an unsaved deletion in the parent",
        arguments: StoreKind.allCases)
    func childDeletes(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let root = stack.background
        let (team, player) = try root.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "T") }.id
            let player = try context.insert(Player.self) { Player(id: $0, name: "P", team: team) }.id
            try context.save()
            try context.delete(team, of: Team.self)
            return (team, player)
        }
        try root.newChildContext().performAndWait { (context) throws in
            #expect(try context.delete(player, of: Player.self))
            _ = try context.count(FetchRequest<Team>())
            try context.save()
        }
        try root.performAndWait { (context) throws in _ = try context.save() }
        #expect(try stack.stored(Player.self).isEmpty && !stack.stored(Team.self).contains { $0.id == team })
    }
}
