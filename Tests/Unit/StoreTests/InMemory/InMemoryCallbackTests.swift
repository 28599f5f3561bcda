import PersistenceTestSupport
import StrataInMemory
import StrataPersistence
import StrataStoreKit
import Testing

/// Calls from inside a closure that the in-memory store runs.
///
/// `ClosingInsideTests` closes every kind of store inside such a closure.
@Suite("Callbacks of the in-memory store")
struct InMemoryCallbackTests {
    private static let streets = StoreRequest("Street")

    private static func store() throws -> InMemoryStore {
        let store = InMemoryStore(model: try Estate.model())
        #expect(try store.save(inserting(1...3)).isEmpty)
        return store
    }

    private static func inserting(_ ids: ClosedRange<Int64>) -> ChangeSet {
        var changes = ChangeSet()
        changes["Street"].insertions = ids.map { .init(id: $0, values: [.string("Street \($0)")]) }
        return changes
    }

    @Test("a store that was closed inside a fetch cannot be copied")
    func copying() throws {
        let store = try Self.store()
        try store.fetch(Self.streets) { _ in
            try store.close()
            return .stop
        }
        #expect(try persistenceError { _ = try store.copy() }.code == .closed)
    }

    @Test("a fetch whose closure writes rows returns the rows that existed when the fetch began")
    func writingWhileReading() throws {
        let store = try Self.store()
        var (fetched, read): ([Int64], [Int64]) = ([], [])
        try store.fetch(Self.streets) { (row) throws in
            fetched.append(row.rawID)
            #expect(try store.save(Self.inserting(row.rawID + 10...row.rawID + 10)).isEmpty)
            return .next
        }
        _ = try store.openCursor(Self.streets).read { row in
            read.append(row.rawID)
            try store.transaction {
                try $0.save(Self.inserting(row.rawID + 20...row.rawID + 20)).isEmpty ? .commit : .rollBack
            }
            return .next
        }
        #expect(fetched == [1, 2, 3])
        #expect(read == [1, 2, 3, 11, 12, 13])
        #expect(try store.count(Self.streets) == 12)
    }
}
