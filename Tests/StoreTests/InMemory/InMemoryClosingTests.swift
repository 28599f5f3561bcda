import PersistenceTestSupport
import StrataInMemory
import StrataPersistence
import Testing

/// Closing from inside what the store in memory runs for its caller: no such code runs under a lock that closing wants.
@Suite("Closing the store in memory from inside")
struct InMemoryClosingTests {
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

    private static func expectClosed(_ error: PersistenceError, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error.code == .closed, sourceLocation: sourceLocation)
    }

    private static func expectClosed(_ store: InMemoryStore) throws {
        expectClosed(try persistenceError { _ = try store.count(streets) })
        expectClosed(try persistenceError { _ = try store.save(inserting(9...9)) })
        expectClosed(try persistenceError { try store.transaction { _ in .commit } })
        expectClosed(try persistenceError { try store.writeRows { _ in } })
        expectClosed(try persistenceError { _ = try store.copy() })
        expectClosed(try persistenceError { _ = try store.openSnapshots(1) })
        try store.close()
    }

    @Test("a store that is closed inside a fetch's body is closed for every later call")
    func fetch() throws {
        let store = try Self.store()
        try store.fetch(Self.streets) { _ in
            try store.close()
            Self.expectClosed(try persistenceError { _ = try store.count(Self.streets) })
            return .next
        }
        try Self.expectClosed(store)
    }

    @Test("a store that is closed inside a cursor's body ends the cursor", arguments: [false, true])
    func cursor(ofSnapshot: Bool) throws {
        let store = try Self.store()
        let reader: any StoreReader = ofSnapshot ? try #require(try store.openSnapshots(1).first) : store
        let cursor = try reader.openCursor(Self.streets)
        var count = 0
        Self.expectClosed(
            try persistenceError {
                _ = try cursor.read { _ in
                    count += 1
                    try store.close()
                    return .next
                }
            })
        #expect(count == 1)
        Self.expectClosed(try persistenceError { _ = try cursor.next { _ in } })
        Self.expectClosed(try persistenceError { _ = try reader.count(Self.streets) })
        try Self.expectClosed(store)
    }

    @Test("a snapshot that is closed inside its cursor's body ends the cursor, and nothing else")
    func snapshot() throws {
        let store = try Self.store()
        let snapshots = try store.openSnapshots(2)
        let cursor = try snapshots[0].openCursor(Self.streets)
        #expect(try cursor.next { _ in snapshots[0].close() })
        Self.expectClosed(try persistenceError { _ = try cursor.next { _ in } })
        Self.expectClosed(try persistenceError { _ = try snapshots[0].count(Self.streets) })
        #expect(try snapshots[1].count(Self.streets) == 3)
        try snapshots[1].fetch(Self.streets) { _ in
            snapshots[1].close()
            return .next
        }
        Self.expectClosed(try persistenceError { _ = try snapshots[1].count(Self.streets) })
        #expect(try store.count(Self.streets) == 3)
    }

    @Test("a writer's body cannot close the store: the store is open then, and what was written is there")
    func writing() throws {
        let store = try Self.store()
        try store.transaction { (transaction) throws in
            #expect(try persistenceError { try store.close() }.code == .invalidRequest)
            #expect(try transaction.save(Self.inserting(4...4)).isEmpty)
            return .commit
        }
        try store.writeRows { (writer) throws in
            let inserter = try writer.inserter(of: "Street", InsertOptions())
            try inserter.insert(id: 5, values: [.string("Street 5")], location: RowLocation(line: 1, record: 1))
            #expect(try persistenceError { try store.close() }.code == .invalidRequest)
        }
        #expect(try store.count(Self.streets) == 5)
        try store.close()
        try Self.expectClosed(store)
    }

    @Test("a body that is given rows may write: the rows are those of the beginning")
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
