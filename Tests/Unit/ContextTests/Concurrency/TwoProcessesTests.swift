import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Two processes on one file.
///
/// Each exit test is a separate process.
@Suite("Two processes")
struct TwoProcessesTests {
    private static let rounds = 60

    @Test("two processes increment one counter and lose no update")
    func counters() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared.sqlite").path
        let rounds = Self.rounds
        let id = try Self.container(path).backgroundContext.performAndWait { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.save()
            return team.rawID
        }
        async let first = #expect(processExitsWith: .success) {
            [path = path as String, id = id as Int64, rounds = rounds as Int] in
            try await TwoProcessesTests.count(path, id, rounds)
        }
        async let second = #expect(processExitsWith: .success) {
            [path = path as String, id = id as Int64, rounds = rounds as Int] in
            try await TwoProcessesTests.count(path, id, rounds)
        }
        try await Self.count(path, id, rounds)
        _ = await (first, second)
        let points = try Self.container(path).backgroundContext.performAndWait {
            try $0.fetch(FetchRequest<Team>()).map(\.points)
        }
        #expect(points == [3 * rounds])
    }

    /// Increments the counter through contexts and repositories; the error of a lock would end the process.
    private static func count(_ path: String, _ rawID: Int64, _ rounds: Int) async throws {
        let container = try container(path)
        let id = try #require(TeamID(rawValue: rawID))
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                _ = try await container.backgroundContext.update(Team.self, id: id) { $0.points += 1 }
                continue
            }
            let context = container.newBackgroundContext()
            var isSaved = false
            while !isSaved {
                isSaved = try await context.perform { context in
                    try context.existingObject(with: id, of: Team.self).points += 1
                    do {
                        try context.save()
                        return true
                    } catch let error as PersistenceError where error.code == .conflict {
                        context.reset()
                        return false
                    }
                }
            }
        }
        try container.close()
    }

    private static func container(
        _ path: String, busyTimeout: Duration = .seconds(30)
    ) throws -> PersistentContainer {
        var description = PersistentStoreDescription.sqlite(at: URL(fileURLWithPath: path))
        description.busyTimeout = busyTimeout
        return try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    @Test("a save that waits for another writer's lock for less than the busy timeout succeeds")
    func briefLock() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared.sqlite").path
        let (waiting, holding) = (try Self.container(path), try Self.container(path))
        let context = waiting.newBackgroundContext(name: "import")
        try await context.perform { _ = try $0.insert(Team.self) { Team(id: $0, name: "Reds") } }
        let save = Task.detached { try await context.perform { try $0.save() } }
        try holding.batchInsert(into: "Team") { inserter in
            // The transaction is long enough that the save meets the lock in most runs; it must succeed in all.
            for number in 1...20_000 {
                try inserter.insert(
                    id: Int64(1000 + number), values: [.string("T"), .null, .integer(0)],
                    location: RowLocation(line: number, record: number))
            }
        }
        #expect(try await save.value.inserted == ["Team": [1]])
    }

    @Test("a save that waits longer than the busy timeout throws an error that names the context and the timeout")
    func locked() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared.sqlite").path
        let waiting = try Self.container(path, busyTimeout: .milliseconds(50))
        let holding = try Self.container(path)
        let context = waiting.newBackgroundContext(name: "import")
        // The identifiers are reserved here, so that the save has to wait.
        try context.performAndWait { _ = try $0.insert(Team.self) { Team(id: $0, name: "Reds") } }
        try holding.batchInsert(into: "Team") { _ in
            let error = try persistenceError { _ = try context.performAndWait { try $0.save() } }
            #expect(error.code == .locked)
            #expect(error.message.hasPrefix("the context “import” waited "))
            #expect(
                error.message.firstMatch(of: #/waited [0-9]+\.[0-9]{2} seconds to save: /#) != nil, "\(error.message)")
            #expect(error.message.hasSuffix("for longer than 0.05 seconds; try again, or raise the busy timeout"))
        }
        try context.performAndWait { try $0.save() }
        #expect(try holding.backgroundContext.performAndWait { try $0.count(FetchRequest<Team>()) } == 1)
    }
}
