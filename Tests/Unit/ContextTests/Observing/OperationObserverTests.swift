import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Reports of operations to an observer")
struct OperationObserverTests {
    @TaskLocal private static var span = 0

    /// An observer that records what it receives.
    private final class Recorder: OperationObserver {
        struct Record: Sendable {
            let operation: StoreOperation
            let span: Int
            var outcome: OperationOutcome?
        }

        private let state = Guarded<[Record]>([])

        func operationDidBegin(_ operation: StoreOperation) -> UInt64 {
            state.withLock { records in
                records.append(Record(operation: operation, span: OperationObserverTests.span))
                return UInt64(records.count - 1)
            }
        }

        func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
            state.withLock { $0[Int(token)].outcome = outcome }
        }

        /// Returns the operations since the previous call.
        func take() -> [Record] {
            state.withLock { records in
                defer { records = [] }
                return records
            }
        }
    }

    private let recorder = Recorder()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container(_ kind: StoreKind) throws -> PersistentContainer {
        var description = PersistentStoreDescription(kind.provider(in: folder, named: "league"))
        description.operationObserver = recorder
        return try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    private func kinds() -> [StoreOperation.Kind] { recorder.take().map(\.operation.kind) }

    @Test("each kind of work is one operation with its entity and its rows", arguments: StoreKind.everyKind)
    func kinds(_ kind: StoreKind) async throws {
        let container = try container(kind)
        let opened = try #require(recorder.take().first)
        #expect(opened.operation.kind == .open && opened.outcome?.error == nil)
        #expect(opened.operation.system == kind.provider(in: folder).kind.lowercased())
        #expect(opened.operation.file == kind.provider(in: folder, named: "league").url?.lastPathComponent)

        let context = container.backgroundContext
        try await context.performTransaction { unit in
            for name in ["Ann", "Ben", "Cyd"] {
                _ = try unit.insert(Player.self) { Player(id: $0, name: name) }
            }
        }
        let saved = recorder.take().filter { $0.operation.kind == .save }
        #expect(saved.map(\.outcome?.rows) == [3] && saved.map(\.operation.entity) == ["Player"])

        _ = try await context.fetch(FetchRequest<Player>(limit: 2))
        let fetched = recorder.take()
        #expect(fetched.map(\.operation.kind) == [.fetch] && fetched.first?.outcome?.rows == 2)
        _ = try await context.count(FetchRequest<Player>())
        #expect(kinds() == [.count])
        for try await _ in context.stream(FetchRequest<Player>()) {}
        let streamed = recorder.take()
        #expect(streamed.map(\.operation.kind) == [.fetch] && streamed.first?.outcome?.rows == 3)
        _ = try container.batchUpdate(
            "Player", set: ["salary": .constant(.decimal(ScaledDecimal(unscaled: 400, scale: 2)))])
        let updated = recorder.take()
        #expect(updated.map(\.operation.kind) == [.batch] && updated.first?.outcome?.rows == 3)
        _ = try container.batchInsert(
            Player.entity, records: [Player(id: try #require(PlayerID(rawValue: 9)), name: "Eve")])
        #expect(kinds().last == .insert)
        try container.close()
    }

    @Test("a failed operation has its error, and every operation that begins also ends", arguments: StoreKind.allCases)
    func failures(_ kind: StoreKind) async throws {
        let container = try container(kind)
        _ = recorder.take()
        try container.close()
        await #expect(throws: PersistenceError.self) {
            try await container.backgroundContext.fetch(FetchRequest<Player>())
        }
        let failed = try #require(recorder.take().last)
        #expect((failed.outcome?.error as? PersistenceError)?.code == .closed && failed.outcome?.rows == 0)
    }

    @Test("the observer reads the task-local values of the caller", arguments: StoreKind.allCases)
    func taskLocals(_ kind: StoreKind) async throws {
        let container = try container(kind)
        _ = recorder.take()
        let context = container.backgroundContext
        try await Self.$span.withValue(7) {
            _ = try await context.fetch(FetchRequest<Player>())
            _ = try await context.perform { try $0.fetch(FetchRequest<Player>()).count }
        }
        try Self.$span.withValue(8) {
            _ = try context.performAndWait { try $0.fetch(FetchRequest<Player>()).count }
        }
        #expect(recorder.take().map(\.span) == [7, 7, 8])
        try container.close()
    }

    @Test("a database explains the statement of a fetch and of a selection, without values")
    func explanations() async throws {
        let container = try container(.sqlite)
        _ = recorder.take()
        let request = FetchRequest<Player>(where: #Predicate { $0.name == "secret" })
        _ = try await container.backgroundContext.fetch(request)
        let fetched = try #require(try recorder.take().last?.outcome?.explanation())
        #expect(fetched.plan.contains("Player") && fetched.statement.hasPrefix("SELECT"))
        #expect(!fetched.statement.contains("secret") && !fetched.plan.contains("secret"))
        _ = try await container.backgroundContext.aggregate(FetchRequest<Player>(), select: .maximum(\.number))
        let selected = try #require(recorder.take().last)
        #expect(selected.operation.kind == .select)
        #expect(try selected.outcome?.explanation()?.statement.contains("max") == true)
        try container.close()
    }

    @Test("an operation reports the time for which it waited for another writer of the container")
    func waiting() async throws {
        let container = try container(.sqlite)
        let begun = DispatchSemaphore(value: 0)
        let store = container.coordinator.store
        let writing = Thread {
            try? store.transaction { _ in
                begun.signal()
                Thread.sleep(forTimeInterval: 0.1)
                return .rollBack
            }
        }
        writing.start()
        #expect(begun.wait(timeout: .now() + 10) == .success)
        _ = recorder.take()
        _ = try container.backgroundContext.performAndWait { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: "Ann") }
            return try context.save()
        }
        let saved = try #require(recorder.take().first { $0.operation.kind == .save }?.outcome)
        #expect(saved.wait > .zero && saved.wait <= saved.duration)
        try container.close()
    }
}
