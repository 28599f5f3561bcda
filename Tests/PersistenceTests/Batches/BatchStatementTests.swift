import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataSQLite

/// Where the model alone decides, a batch is a few statements of SQLite, however many rows it changes.
@Suite("Numbers of statements of batches")
struct BatchStatementTests {
    /// So many files of one folder without labels, in a store whose model knows no records.
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

    /// How many statements a batch runs with few rows and with many.
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

    @Test("an update to a fixed value counts and changes; to a calculated one it looks once more")
    func update() throws {
        #expect(try Self.statements { try $0.batchUpdate("File", set: ["size": .constant(.integer(7))]) } == [2, 2])
        let size = FetchOperand.property("size")
        let more: [String: FetchOperand] = ["size": .arithmetic(size, .add, .constant(.integer(1)))]
        #expect(try Self.statements { try $0.batchUpdate("File", set: more) } == [3, 3])
    }

    @Test("a deletion looks at what the rules are about, deletes pairs, and deletes")
    func delete() throws {
        let few = try Self.statements { try $0.batchDelete("File") }
        #expect(few[0] == few[1] && few[0] < 8)
    }

    @Test("a cascade is a statement for each entity")
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
