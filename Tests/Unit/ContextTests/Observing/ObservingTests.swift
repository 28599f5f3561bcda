import Foundation
import PersistenceTestSupport
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataPersistence

@Suite("Observing committed values")
struct ObservingTests {
    private static let byName = FetchRequest<Player>(sort: [SortKey(\.name)])

    @Test(
        "the first value is the current one, and each commit that changes the result is one value",
        arguments: StoreKind.allCases)
    func values(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try stack.player("Ann")
        var players = stack.container.observe(Self.byName).makeAsyncIterator()
        #expect(try await players.next()?.map(\.name) == ["Ann"])
        let ben = try stack.player("Ben", number: 2)
        #expect(try await players.next()?.map(\.name) == ["Ann", "Ben"])
        // A commit of another entity, and one without an effect, are no values.
        try stack.team("Red")
        _ = try await stack.background.update(Player.self, id: ben.id) { $0.number = 2 }
        _ = try await stack.background.update(Player.self, id: ben.id) { $0.number = 3 }
        #expect(try await players.next()?.map(\.number) == [nil, 3])
        // Commits between two values are one value.
        for name in ["Cyd", "Dan", "Eve"] { try stack.player(name) }
        #expect(try await players.next()?.count == 5)
        try stack.container.close()
        #expect(try await players.next() == nil)
        #expect(try await players.next() == nil)
    }

    @Test("commits outside the window, the filter or the result are no values", arguments: StoreKind.allCases)
    func unrelated(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        for name in ["Ann", "Ben"] { try stack.player(name) }
        let first = FetchRequest<Player>(sort: [SortKey(\.name)], limit: 1)
        var windows = stack.container.observe(first).makeAsyncIterator()
        let few = FetchRequest<Player>(where: #Predicate { $0.salary > 10 }, sort: [SortKey(\.name)])
        var rich = stack.container.observe(few).makeAsyncIterator()
        #expect(try await windows.next()?.map(\.name) == ["Ann"])
        #expect(try await rich.next()?.isEmpty == true)
        try stack.player("Cyd", salary: 20)
        try stack.player("Aaa", salary: 5)
        #expect(try await windows.next()?.map(\.name) == ["Aaa"])
        #expect(try await rich.next()?.map(\.name) == ["Cyd"])
    }

    @Test(
        "every way of writing is a commit: saves, children, deletions with rules, batches and imports",
        arguments: StoreKind.allCases)
    func writers(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let team = try stack.team("Red")
        var players = stack.container.observe(Self.byName).makeAsyncIterator()
        #expect(try await players.next()?.count == 0)
        try stack.background.newChildContext().performAndWait { child in
            _ = try child.insert(Player.self) { Player(id: $0, name: "Ann", team: team.id) }
            try child.save()
        }
        try stack.background.performAndWait { try $0.save() }
        #expect(try await players.next()?.map(\.name) == ["Ann"])
        _ = try stack.container.batchUpdate("Player", set: ["name": .constant(.string("Bea"))])
        #expect(try await players.next()?.map(\.name) == ["Bea"])
        _ = try stack.container.batchInsert(
            Player.entity, records: [Player(id: try #require(PlayerID(rawValue: 50)), name: "Cyd")])
        #expect(try await players.next()?.map(\.name) == ["Bea", "Cyd"])
        // The delete rule of the team removes the reference of the player.
        _ = try await stack.background.transaction { try $0.delete(FetchRequest<Team>()) }
        #expect(try await players.next()?.map(\.team) == [nil, nil])
        _ = try stack.container.batchDelete("Player")
        #expect(try await players.next()?.isEmpty == true)
    }

    @Test(
        "a request that traverses a relationship is read again after commits of the related entity",
        arguments: StoreKind.allCases)
    func related(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let team = try stack.team("Red")
        try stack.player("Ann", team: team.id)
        let reds = FetchRequest<Player>(
            .condition(.related("team", .compare(.property("name"), .equal, .constant(.string("Red"))))))
        var players = stack.container.observe(reds).makeAsyncIterator()
        #expect(try await players.next()?.count == 1)
        _ = try await stack.background.update(Team.self, id: team.id) { $0.name = "Blue" }
        #expect(try await players.next()?.count == 0)
    }

    @Test("one record, a count and an aggregate are values of their own", arguments: StoreKind.allCases)
    func others(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", salary: 10)
        var record = stack.container.observe(Player.self, id: ann.id).makeAsyncIterator()
        var count = stack.container.observeCount(FetchRequest<Player>()).makeAsyncIterator()
        let all = FetchRequest<Player>()
        let total = { @Sendable (unit: any RecordTransaction) in try unit.aggregate(all, .total(\.salary)) as Decimal }
        var sum = stack.container.observe(all, reading: total).makeAsyncIterator()
        #expect(try await record.next() == ann)
        #expect(try await count.next() == 1)
        #expect(try await sum.next() == 10)
        try stack.player("Ben", salary: 2.5)
        #expect(try await count.next() == 2)
        #expect(try await sum.next() == 12.5)
        _ = try await stack.background.transaction { try $0.delete(FetchRequest<Player>(Player.entity, id: ann.id)) }
        #expect(try await record.next() == .some(nil))
        #expect(try await sum.next() == 2.5)
    }

    @Test("equal requests share one value, and an observed value without observers is forgotten")
    func sharing() throws {
        let stack = try StoreKind.inMemory.league()
        let observers = stack.container.coordinator.observers
        let request = try ObservedRequest(Self.byName.lowered(), of: Player.self)
        let region = try ObservedRegion(Self.byName.lowered(), in: stack.container.model)
        func value() throws -> ObservedValue<Int> {
            try observers.value(request) {
                ObservedValue(ChangeSignal(region), stack.container.coordinator) { _ in 1 }
            }
        }
        let first = try value()
        #expect(try value() === first)
        weak var forgotten: ObservedValue<Int>?
        do {
            let other = try observers.value(nil) {
                ObservedValue(ChangeSignal(region), stack.container.coordinator) { _ in 1 }
            }
            forgotten = other
        }
        #expect(forgotten == nil)
    }

    @Test("an invalid request and a closed container end the sequence", arguments: StoreKind.allCases)
    func errors(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let wrong = FetchRequest<Player>(.condition(.isTrue(.property("nothing"))))
        var players = stack.container.observe(wrong).makeAsyncIterator()
        await #expect(throws: PersistenceError.self) { _ = try await players.next() }
        #expect(try await players.next() == nil)
        try stack.container.close()
        var late = stack.container.observe(Self.byName).makeAsyncIterator()
        #expect(try await late.next() == nil)
    }

    @Test("a canceled task ends its loop, and close ends all loops")
    func cancellation() async throws {
        let stack = try StoreKind.inMemory.league()
        let container = stack.container
        func count() -> Task<Int, any Error> {
            Task {
                var count = 0
                for try await _ in container.observe(Self.byName) { count += 1 }
                return count
            }
        }
        let (canceled, closed) = (count(), count())
        try stack.player("Ann")
        canceled.cancel()
        #expect(try await canceled.value <= 2)
        try container.close()
        #expect(try await closed.value <= 2)
    }

    @Test("the differences change each list into the next one", arguments: Seeds.first(3, of: UInt64(1)...200))
    func differences(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var old: [(id: Int, version: Int64)] = []
        for _ in 0..<50 {
            var new = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            for index in new.indices where Int.random(in: 0..<4, using: &random) == 0 { new[index].version += 1 }
            for _ in 0..<Int.random(in: 0...3, using: &random) where !new.isEmpty {
                let element = new.remove(at: Int.random(in: 0..<new.count, using: &random))
                new.insert(element, at: Int.random(in: 0...new.count, using: &random))
            }
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let element = (id: Int.random(in: 0..<1_000_000, using: &random), version: Int64(1))
                new.insert(element, at: Int.random(in: 0...new.count, using: &random))
            }
            let change = CollectionChange(from: old, to: new)
            var list = old
            for index in (change.removals + change.moves.map(\.from)).sorted(by: >) { list.remove(at: index) }
            for index in (change.insertions + change.moves.map(\.to)).sorted() {
                let element = new[index]
                let version = old.first { $0.id == element.id }?.version ?? element.version
                list.insert((element.id, version), at: index)
            }
            for index in change.updates { list[index] = new[index] }
            #expect(list.map(\.id) == new.map(\.id) && list.map(\.version) == new.map(\.version), "seed \(seed)")
            old = new
        }
    }

    @Test("the elements of observed changes have the records and their differences", arguments: StoreKind.allCases)
    func changes(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let (ann, ben) = (try stack.player("Ann"), try stack.player("Ben"))
        var players = stack.container.observeChanges(Self.byName).makeAsyncIterator()
        #expect(try await players.next()?.change.insertions == [0, 1])
        _ = try await stack.background.update(Player.self, id: ann.id) { $0.name = "Zoe" }
        let moved = try #require(try await players.next())
        #expect(moved.records.map(\.name) == ["Ben", "Zoe"] && moved.change.updates == [1])
        #expect(moved.change.moves.count == 1 && moved.change.insertions.isEmpty && moved.change.removals.isEmpty)
        _ = try await stack.background.transaction { try $0.delete(FetchRequest<Player>(Player.entity, id: ben.id)) }
        #expect(try await players.next()?.change.removals == [0])
    }
}
