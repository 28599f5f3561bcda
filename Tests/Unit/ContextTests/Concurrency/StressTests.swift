import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Many contexts and threads at once; `make test-stress` runs the same tests for 30 seconds under the thread sanitizer.
@Suite("Stress")
struct StressTests {
    @Test("concurrent increments of counters under optimistic locking lose no update", arguments: StoreKind.allCases)
    func counters(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ids = try (0..<Stress.teams).map { try stack.team("T\($0)").id }
        let seed = UInt64.random(in: 0..<1_000_000)
        let stress = Stress(
            containers: [stack.container], ids: ids, deadline: .now + Stress.duration, seed: seed)
        let counted = try await stress.run()
        let points = try stack.stored(Team.self).filter { ids.contains($0.id) }.map(\.points)
        #expect(points.reduce(0, +) == counted, "seed \(seed)")
        #expect(counted > 0)
        #expect(try stack.stored(Team.self).count == Stress.teams)
        try stack.container.close()
    }

    @Test("contexts of two containers on one file increment counters without a lost update or lock error")
    func containers() async throws {
        let folder = try TemporaryFolder()
        let description = PersistentStoreDescription.sqlite(at: folder.file("shared.sqlite"))
        let model = try League.model()
        let containers = try (0..<2).map { _ in
            try PersistentContainer(model: model, description, mainQueue: .private)
        }
        let ids = try containers[0].backgroundContext.performAndWait { context in
            let teams = try (0..<Stress.teams).map { number in
                try context.insert(Team.self) { Team(id: $0, name: "T\(number)") }.id
            }
            try context.save()
            return teams
        }
        let seed = UInt64.random(in: 0..<1_000_000)
        let counted = try await Stress(
            containers: containers, ids: ids, deadline: .now + Stress.duration, seed: seed
        ).run()
        let points = try await containers[1].backgroundContext.fetch(FetchRequest<Team>()).filter {
            ids.contains($0.id)
        }
        #expect(points.map(\.points).reduce(0, +) == counted, "seed \(seed)")
        for container in containers { try container.close() }
    }
}
