import PersistenceTestSupport
import StrataCore
import StrataTesting
import Testing

@testable import StrataSQLite

/// The cached statements of a connection, and the callers that may use them.
@Suite("Statements cached by connections")
struct KeptStatementTests {
    private static let notes = StoreRequest("Note", where: .compare(.property("text"), .equal, .constant(.string("a"))))
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        let note = EntityDescription("Note", [.attribute(AttributeDescription("text", .string))])
        store = try SQLiteStore.open(at: folder.file("notes.sqlite"), model: try ManagedObjectModel([note]))
    }

    @Test("a cached statement is not shared while in use, and is reused afterwards")
    func bound() throws {
        try store.pool.withConnection { connection in
            let sql = "SELECT ?1"
            let first = try connection.statement(sql)
            try first.bind(7, at: 1)
            let second = try connection.statement(sql)
            #expect(second !== first)
            try second.bind([.string("b")])
            let hasRow = try first.step()
            #expect(hasRow && first.integer(at: 0) == 7)
            first.reset()
            try first.bind([.string("c")])
            let third = try connection.statement(sql)
            #expect(third !== first)
            first.reset()
            let fourth = try connection.statement(sql)
            #expect(fourth === first)
            second.reset()
        }
        try store.close()
    }

    @Test("a repeated query plan reuses the cached statement")
    func plan() throws {
        _ = try store.queryPlan(Self.notes)
        let before = try store.pool.withConnection { $0.counts.prepared }
        _ = try store.queryPlan(Self.notes)
        let after = try store.pool.withConnection { $0.counts.prepared }
        #expect(after == before)
        try store.close()
    }

    @Test("the page cache size is set only once per connection")
    func pages() throws {
        try store.pool.withConnection { connection in
            try connection.keepPages()
            try connection.execute("PRAGMA cache_size = 77")
            try connection.keepPages()
            let size = try connection.number("PRAGMA cache_size")
            #expect(size == 77)
        }
        try store.close()
    }
}
