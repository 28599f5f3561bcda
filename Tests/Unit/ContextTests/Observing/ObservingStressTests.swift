import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Observers, writers and a second process at once; `make test-stress` runs the test for 30 seconds under the thread
/// sanitizer.
@Suite("Stress of observers")
struct ObservingStressTests {
    /// The last sum of points that each observer got.
    private final class Sums: Sendable {
        let last = Guarded([Int](repeating: -1, count: 16))

        func areAll(_ sum: Int) -> Bool { last.withLock { last in last.allSatisfy { $0 == sum } } }
    }

    private static func container(_ path: String) throws -> PersistentContainer {
        var description = PersistentStoreDescription.sqlite(at: URL(fileURLWithPath: path))
        description.announcesChanges = true
        description.busyTimeout = .seconds(60)
        return try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    /// Increments the points of teams in random order until a time.
    private static func write(_ container: PersistentContainer, _ ids: [Int64], until end: ContinuousClock.Instant)
        async throws
    {
        while .now < end {
            guard let id = ids.randomElement().flatMap(TeamID.init(rawValue:)) else { return }
            do {
                _ = try await container.backgroundContext.update(Team.self, id: id) { $0.points += 1 }
            } catch let error as PersistenceError where [.conflict, .locked].contains(error.code) {}
        }
    }

    @Test("16 observers get the last state of 8 writers and of another process, and their versions never go back")
    func stress() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared.sqlite").path
        let container = try Self.container(path)
        let ids = try container.backgroundContext.performAndWait { context in
            let teams = try (0..<8).map { number in
                try context.insert(Team.self) { Team(id: $0, name: "T\(number)") }.id.rawValue
            }
            try context.save()
            return teams
        }
        let seconds = max(1, Int(Stress.duration.components.seconds))
        let end = ContinuousClock.now + .seconds(seconds)
        async let other: ExitTest.Result? = #expect(processExitsWith: .success) {
            [path = path as String, ids = ids as [Int64], seconds = seconds as Int] in
            let container = try ObservingStressTests.container(path)
            try await ObservingStressTests.write(container, ids, until: .now + .seconds(seconds))
            try container.close()
        }
        let sums = Sums()
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observers = (0..<16).map { number in
            // Half of the observers share a request.
            let request = FetchRequest<Team>(sort: [SortKey(\.name)], limit: number < 8 ? nil : number)
            return Task {
                var last = 0
                for try await teams in container.observe(request) {
                    let sum = teams.map(\.points).reduce(0, +)
                    #expect(sum >= last)
                    last = sum
                    sums.last.withLock { $0[number] = sum }
                    changed.yield()
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await Self.write(container, ids, until: end) } }
            try await group.waitForAll()
        }
        _ = await other
        let final = try await container.backgroundContext.fetch(FetchRequest<Team>()).map(\.points).reduce(0, +)
        // Each observer gets the last state, also if the other process committed it.
        changed.yield()
        for await _ in changes where sums.areAll(final) { break }
        try container.close()
        for observer in observers { try await observer.value }
        #expect(final > 0)
    }
}
