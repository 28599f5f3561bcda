import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// A batch delete has the same result as a context that deletes the same objects and saves, and fails if the save
/// fails.
@Suite("Random batch deletes")
struct RandomBatchDeleteTests {
    private struct State: Equatable {
        var rows: [String: [StoredRow]] = [:]
        var pairs: [JoinRow] = []

        init(_ store: any PersistentStore) throws {
            for entity in store.model.entities { rows[entity.name] = try store.rows(StoreRequest(entity.name)) }
            pairs = try store.joins(JoinRequest("File_labels"))
        }
    }

    private static func outcome(_ stack: TestStack, _ body: () throws -> Void) throws -> (State, String) {
        var failure = ""
        do {
            try body()
        } catch let error as PersistenceError {
            failure = ([error.code.description] + error.failures.map(\.description).sorted()).joined(separator: "\n")
        }
        return (try State(stack.container.coordinator.store), failure)
    }

    private static func delete<Record: PersistentRecord>(
        _ type: Record.Type, _ ids: [Int64], _ stack: TestStack
    ) throws where Record.ID == LibraryID {
        try stack.background.performAndWait { context in
            for id in ids { try context.delete(LibraryID(unchecked: id), of: type) }
            try context.save()
        }
    }

    @Test(
        "a random batch deletion has the same result as the same deletions in a context",
        arguments: Seeds.first(1, of: UInt64(1)...30))
    func agree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stored = 0
        for number in 1...10 {
            let changes = Yard.changes(using: &random)
            let ids = Array(
                Set((0..<Int.random(in: 1...3, using: &random)).map { _ in Int64.random(in: 1...10, using: &random) }))
            let entity = ["Keeper", "Folder", "Folder", "File", "Label", "Seal"].randomElement(using: &random) ?? ""
            for kind in StoreKind.everyKind {
                let (stack, other) = (try kind.stack(Yard.model()), try kind.stack(Yard.model()))
                for stack in [stack, other] { _ = try stack.container.coordinator.store.save(changes) }
                let expected = try Self.outcome(stack) {
                    switch entity {
                    case "Keeper": try Self.delete(Yard.Keeper.self, ids, stack)
                    case "Folder": try Self.delete(Yard.Folder.self, ids, stack)
                    case "File": try Self.delete(Yard.File.self, ids, stack)
                    case "Label": try Self.delete(Yard.Label.self, ids, stack)
                    default: try Self.delete(Yard.Seal.self, ids, stack)
                    }
                }
                let condition = FetchCondition.isIn(.property("id"), ids.map(StoredValue.integer))
                let before = try State(other.container.coordinator.store)
                let dry = try Self.outcome(other) {
                    try other.container.batchDelete(entity, where: condition, dryRun: true)
                }
                let found = try Self.outcome(other) { try other.container.batchDelete(entity, where: condition) }
                let comment: Comment = "seed \(seed), batch \(number), \(kind): \(entity) \(ids.sorted())"
                #expect(found == expected, comment)
                #expect(dry.0 == before && dry.1 == found.1, comment)
                if found.1.isEmpty { stored += 1 }
            }
        }
        #expect(stored > 2)
    }
}
