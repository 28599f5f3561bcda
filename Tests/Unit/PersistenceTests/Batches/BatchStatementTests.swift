import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Batches without record types, which run a few SQLite statements for any number of rows.
@Suite("Numbers of statements of batches")
struct BatchStatementTests {
    /// Returns a stack with a number of files in one folder without labels.
    ///
    /// Its model has no record types.
    private static func stack(files: Int64) throws -> TestStack {
        let stack = try StoreKind.sqlite.stack(try ManagedObjectModel(try Yard.model().entities))
        var changes = ChangeSet()
        changes["Keeper"].insertions = [.init(id: 1, values: [.string("k")])]
        changes["Folder"].insertions = [.init(id: 1, values: [.null, .null])]
        changes["Seal"].insertions = [.init(id: 1, values: [.integer(1)])]
        changes["File"].insertions = (1...files).map {
            .init(id: $0, values: [.integer($0 % 100), .null, .integer(1), .null])
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    /// Returns the number of statements that a batch runs with few rows and with many.
    private static func statements(_ batch: (PersistentContainer) throws -> BatchResult) throws -> [Int] {
        try [Int64(3), 3_000].map { files in
            let stack = try stack(files: files)
            let store = try #require(stack.container.coordinator.store as? SQLiteStore)
            let before = try store.withWriter(\.counts)
            let result = try batch(stack.container)
            #expect(!result.identifiers.isEmpty)
            let counts = try store.withWriter(\.counts) - before
            #expect(counts.transactions == 1)
            return counts.runs
        }
    }

    @Test("a batch update runs two statements for a constant value and three for a calculated value")
    func update() throws {
        #expect(try Self.statements { try $0.batchUpdate("File", set: ["size": .constant(.integer(7))]) } == [2, 2])
        let size = FetchOperand.property("size")
        let more: [String: FetchOperand] = ["size": .arithmetic(size, .add, .constant(.integer(1)))]
        #expect(try Self.statements { try $0.batchUpdate("File", set: more) } == [3, 3])
    }

    @Test("a batch deletion runs the same number of statements for any number of rows")
    func delete() throws {
        let few = try Self.statements { try $0.batchDelete("File") }
        #expect(few[0] == few[1] && few[0] < 8)
    }

    @Test("a cascading batch deletion runs the same number of statements for any number of rows")
    func cascade() throws {
        let few = try Self.statements { try $0.batchDelete("Folder") }
        #expect(few[0] == few[1] && few[0] < 20)
    }
}

private func - (left: SQLiteConnection.Counts, right: SQLiteConnection.Counts) -> SQLiteConnection.Counts {
    .init(
        prepared: left.prepared - right.prepared, runs: left.runs - right.runs,
        transactions: left.transactions - right.transactions)
}
