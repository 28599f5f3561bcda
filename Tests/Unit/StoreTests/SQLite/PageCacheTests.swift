import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// The pages of the file that connections cache.
@Suite("Pages cached by connections")
struct PageCacheTests {
    private static let notes = StoreRequest("Note")
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    /// Creates a store with a table of more than 5 MB.
    init() throws {
        folder = try TemporaryFolder()
        let note = EntityDescription("Note", [.attribute(AttributeDescription("text", .string))])
        store = try SQLiteStore.open(at: folder.file("notes.sqlite"), model: try ManagedObjectModel([note]))
        let text = StoredValue.string(String(repeating: "n", count: 1_000))
        var changes = ChangeSet()
        changes["Note"].insertions = (1...5_000).map { .init(id: $0, values: [text]) }
        #expect(try store.save(changes).isEmpty)
    }

    private func read(_ reader: any StoreReader) throws {
        var count = 0
        try reader.fetch(Self.notes) { row in
            let text: String = try row[0]
            count += text.utf8.count
            return .next
        }
        #expect(count == 5_000_000)
    }

    /// Returns the number of pages that the last released connection has read.
    private func takePagesRead() throws -> Int { try store.pool.withConnection { try $0.takePagesRead() } }

    private func readTwice() throws {
        try read(store)
        #expect(try takePagesRead() > 1_000)
        try read(store)
        #expect(try takePagesRead() == 0)
    }

    @Test("repeated reads of a table of a few megabytes read the file only once until the next write")
    func again() throws {
        try readTwice()
        // While the first connection is in use, this uses another one.
        try store.pool.withConnection { _ in try readTwice() }
        var changes = ChangeSet()
        changes["Note"].insertions = [.init(id: 9_999, values: [.string("")])]
        #expect(try store.save(changes).isEmpty)
        try readTwice()
        try store.close()
    }

    @Test("single reads and writes use SQLite's default number of cached pages")
    func once() throws {
        let snapshot = try store.openSnapshots(1)[0]
        for _ in 1...2 { try read(snapshot) }
        snapshot.close()
        #expect(try takePagesRead() > 2_000)
        #expect(try store.withWriter { try $0.number("PRAGMA cache_size") } == -2_000)
        try store.close()
    }
}
