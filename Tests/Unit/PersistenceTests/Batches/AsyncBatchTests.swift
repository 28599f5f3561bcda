import Dispatch
import Foundation
import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Batches of a container for asynchronous code.
@Suite("Asynchronous batches")
struct AsyncBatchTests {
    private static func container(_ kind: StoreKind) throws -> (PersistentContainer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        var description = PersistentStoreDescription(kind.provider(in: folder))
        // The timeout is longer than the test may take: a blocked thread stays blocked.
        description.busyTimeout = .seconds(300)
        let container = try PersistentContainer(model: try League.model(), description, mainQueue: .private)
        return (container, folder)
    }

    private static func team(_ id: Int64, _ name: String) throws -> Team {
        Team(id: try #require(TeamID(rawValue: id)), name: name)
    }

    @Test("each batch operation has an asynchronous form with the same result", arguments: StoreKind.everyKind)
    func forms(_ kind: StoreKind) async throws {
        let (container, folder) = try Self.container(kind)
        defer { withExtendedLifetime(folder) {} }
        let teams = try (1...3).map { try Self.team($0, "t\($0)") }
        #expect(try await container.performBatchInsert(Team.entity, records: teams) == 3)
        let inserted = try await container.performBatchInsert(into: "Team") { inserter in
            try inserter.insert(
                values: try Team.entity.row(of: Self.team(9, "t4")).values, location: RowLocation(line: 1, record: 1))
        }
        #expect(inserted == 1)
        let counts = try await container.performBatchWrite { writer in
            let inserter = try writer.inserter(of: "Team")
            try inserter.insert(
                values: try Team.entity.row(of: Self.team(9, "t5")).values, location: RowLocation(line: 1, record: 1))
        }
        #expect(counts["Team"]?.inserted == 1)
        let isFirst = #Predicate<Team> { $0.name == "t1" }
        #expect(
            try await container.performBatchUpdate(Team.self, where: .matching(isFirst), [.set(\.points, to: 7)])
                .identifiers == [1])
        #expect(
            try await container.performBatchUpdate("Team", set: ["points": .constant(.integer(7))]).identifiers.count
                == 4)
        #expect(try await container.performBatchDelete(Team.self, where: .matching(isFirst)).selectedCount == 1)
        #expect(try await container.performBatchDelete("Team", dryRun: true).selectedCount == 4)
        #expect(try container.coordinator.store.count(StoreRequest("Team")) == 4)
        try container.close()
    }

    @Test(
        "asynchronous batches that wait for a writer do not block other tasks", .timeLimit(.minutes(2)),
        arguments: StoreKind.allCases)
    func threads(_ kind: StoreKind) async throws {
        let (container, folder) = try Self.container(kind)
        defer { withExtendedLifetime(folder) {} }
        let (isWriting, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let writer = Thread {
            _ = try? container.batchWrite { _ in
                isWriting.signal()
                mayEnd.wait()
            }
        }
        writer.start()
        await Task.detached { isWriting.waitForTest() }.value
        let waiting = (0..<ProcessInfo.processInfo.activeProcessorCount * 4).map { _ in
            Task { try await container.performBatchUpdate("Team", set: ["points": .constant(.integer(1))]) }
        }
        // This task would never run if its threads were blocked.
        await Task {}.value
        mayEnd.signal()
        for task in waiting { #expect(try await task.value.selectedCount == 0) }
        try container.close()
    }

    @Test("an asynchronous batch in a canceled task throws and changes nothing", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) async throws {
        let (container, folder) = try Self.container(kind)
        defer { withExtendedLifetime(folder) {} }
        try await container.performBatchInsert(Team.entity, records: [try Self.team(1, "a")])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await container.performBatchUpdate("Team", set: ["points": .constant(.integer(1))])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let stored = try await container.backgroundContext.perform { try $0.fetchRecords(FetchRequest<Team>()) }
        #expect(stored.map(\.points) == [0])
        try container.close()
    }

    @Test("the closure of an asynchronous batch can read through contexts", arguments: StoreKind.allCases)
    func reading(_ kind: StoreKind) async throws {
        let (container, folder) = try Self.container(kind)
        defer { withExtendedLifetime(folder) {} }
        try await container.performBatchInsert(Team.entity, records: [try Self.team(1, "a")])
        try await container.performBatchWrite { (_) throws in
            let read = { @Sendable (context: ConfinedContext) throws in try context.count(FetchRequest<Team>()) }
            #expect(try container.backgroundContext.performAndWait(read) == 1)
            #expect(try container.mainContext.performAndWait(read) == 1)
        }
        try container.close()
    }
}

extension DispatchSemaphore {
    /// Waits for a signal that is certain to arrive.
    fileprivate func waitForTest() { wait() }
}
