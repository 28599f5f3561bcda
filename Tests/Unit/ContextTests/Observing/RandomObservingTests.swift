import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Observing random requests and commits")
struct RandomObservingTests {
    /// Commits a random change.
    private static func commit(_ stack: TestStack, using random: inout SeededGenerator) async throws {
        let name = ["Ann", "Ben", "Cyd", "Dan"].randomElement(using: &random) ?? "Eve"
        let isNamed = FetchCondition.compare(.property("name"), .equal, .constant(.string(name)))
        let salary = Decimal(Int.random(in: 0...5, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            let teams = try stack.stored(Team.self)
            try stack.player(name, salary: salary, team: teams.randomElement(using: &random)?.id)
        case 2: try stack.team("Team \(Int.random(in: 0...3, using: &random))", points: 1)
        case 3:
            if let player = try stack.stored(Player.self).randomElement(using: &random) {
                _ = try await stack.background.update(Player.self, id: player.id) { $0.salary = salary }
            }
        case 4:
            if let team = try stack.stored(Team.self).randomElement(using: &random) {
                let points = Int.random(in: 0...3, using: &random)
                _ = try await stack.background.update(Team.self, id: team.id) { $0.points = points }
            }
        case 5:
            _ = try stack.container.batchUpdate(
                "Player", where: isNamed, set: ["salary": .constant(.decimal(ScaledDecimal(unscaled: 100, scale: 2)))])
        case 7:
            // A child context whose changes reach the store by a save of its parent.
            let parent = stack.container.newBackgroundContext()
            try await parent.newChildContext().perform { child in
                _ = try child.insert(Player.self) { Player(id: $0, name: name, salary: salary) }
                try child.save()
            }
            try await parent.perform { _ = try $0.save() }
        case 8:
            // The delete rule removes the references of the players.
            if let team = try stack.stored(Team.self).randomElement(using: &random) {
                _ = try await stack.background.transaction(mergePolicy: nil) { try $0.delete(Team.self, id: team.id) }
            }
        case 6: _ = try stack.container.batchDelete("Player", where: isNamed)
        default:
            let ids = try stack.container.coordinator.store.reserveIdentifiers(2, of: "Player")
            _ = try stack.container.batchInsert(
                Player.entity,
                records: ids.compactMap(PlayerID.init).map { Player(id: $0, name: name, salary: salary) })
        }
    }

    private static func request(using random: inout SeededGenerator) -> FetchRequest<Player> {
        let filters: [RecordFilter<Player>?] = [
            nil,
            .condition(
                .compare(.property("salary"), .greater, .constant(.decimal(ScaledDecimal(unscaled: 200, scale: 2))))),
            .condition(.related("team", .compare(.property("points"), .greater, .constant(.integer(0))))),
        ]
        let sorts: [[SortKey<Player>]] = [[], [SortKey(\.name)], [SortKey(\.salary, order: .reverse)]]
        return FetchRequest(
            Player.entity, filters.randomElement(using: &random) ?? nil,
            sort: sorts.randomElement(using: &random) ?? [],
            limit: Bool.random(using: &random) ? 3 : nil)
    }

    @Test(
        "an observer that waits for each value gets the results after all commits, without repetitions",
        arguments: StoreKind.allCases, Seeds.first(2, of: UInt64(1)...100))
    func waiting(_ kind: StoreKind, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let stack = try kind.league()
        let request = Self.request(using: &random)
        var values = stack.container.observe(request).makeAsyncIterator()
        func marks() async throws -> [RecordVersion<Player>] { try await stack.background.fetchVersions(request) }
        var last = try await marks()
        #expect(try await values.next()?.map(\.id) == last.map(\.id))
        for step in 0..<50 {
            try await Self.commit(stack, using: &random)
            let current = try await marks()
            guard current != last else { continue }
            let records = try await values.next()
            let expected = try await stack.background.fetch(request)
            #expect(records == expected, "seed \(seed), step \(step)")
            last = current
        }
        try stack.container.close()
        #expect(try await values.next() == nil)
    }

    @Test(
        "the values of free observers are committed states in their order, with the first and the last",
        arguments: StoreKind.allCases, Seeds.first(1, of: UInt64(1)...50))
    func free(_ kind: StoreKind, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let stack = try kind.league()
        let request = Self.request(using: &random)
        let container = stack.container
        let observers = (0..<4).map { _ in
            Task {
                var values: [[Player]] = []
                for try await players in container.observe(request) {
                    values.append(players)
                    if players.contains(where: { $0.name == "End" }) { break }
                }
                return values
            }
        }
        var states = [try await stack.background.fetch(request)]
        for _ in 0..<60 {
            try await Self.commit(stack, using: &random)
            states.append(try await stack.background.fetch(request))
        }
        let teams = try stack.team("Last", points: 9)
        _ = try stack.container.batchDelete("Player")
        states.append(try await stack.background.fetch(request))
        try stack.player("End", salary: 100, team: teams.id)
        states.append(try await stack.background.fetch(request))
        for observer in observers {
            let values = try await observer.value
            #expect(values.last == states.last, "seed \(seed)")
            var place = 0
            for value in values {
                let found = states[place...].firstIndex(of: value)
                #expect(found != nil, "seed \(seed)")
                place = found ?? place
            }
        }
    }
}
