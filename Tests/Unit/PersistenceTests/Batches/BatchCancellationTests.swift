import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Batches of canceled tasks")
struct BatchCancellationTests {
    @Test(
        "a batch update and a batch deletion in a canceled task throw and change no row", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) async throws {
        let stack = try kind.stack(Yard.model())
        let container = stack.container
        var changes = ChangeSet()
        changes["File"].insertions = (1...10).map { .init(id: $0, values: [.integer($0), .null, .null, .null]) }
        _ = try container.coordinator.store.save(changes)
        let before = try container.coordinator.store.rows(StoreRequest("File")).map(\.values)
        let update = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try container.batchUpdate("File", set: ["size": .constant(.integer(5))])
        }
        await #expect(throws: CancellationError.self) { try await update.value }
        let deletion = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try container.batchDelete("File")
        }
        await #expect(throws: CancellationError.self) { try await deletion.value }
        #expect(try stack.container.coordinator.store.rows(StoreRequest("File")).map(\.values) == before)
    }
}
