import PersistenceTestSupport
import StrataCore
import StrataTesting
import Testing

@testable import StrataSQLite

/// What connections keep of the file.
@Suite("Pages that connections keep")
struct PageCacheTests {
    private static let notes = StoreRequest("Note")
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    /// A store with a table of more than 5 MB.
    init() throws {
        folder = try TemporaryFolder()
        let note = EntityDescription("Note", [.attribute(AttributeDescription("text", .string))])
        store = try SQLiteStore.open(at: folder.file("notes.sqlite"), model: try ManagedObjectModel([note]))
        let text = StoredValue.string(String(repeating: "n", count: 1_000))
        var changes = ChangeSet()
        changes["Note"].insertions = (1...5_000).map { .init(id: $0, values: [text]) }
        #expect(try store.save(changes).isEmpty)
    }

    private func read(_ connection: SQLiteConnection) throws {
        let request = try Self.notes.resolved(in: store.model)
        var count = 0
        try connection.fetch(request, in: store.layout) { row in
            let text: String = try row[0]
            count += text.utf8.count
            return .next
        }
        #expect(count == 5_000_000)
    }

    @Test("every reader has a table of some megabytes from the file once, and again after somebody wrote")
    func again() throws {
        try store.pool.withConnection { first in
            // Borrowed beside the first, it is another.
            try store.pool.withConnection { second in
                for connection in [first, second] {
                    try read(connection)
                    #expect(try connection.takePagesRead() > 1_000)
                    try read(connection)
                    #expect(try connection.takePagesRead() == 0)
                }
                var changes = ChangeSet()
                changes["Note"].insertions = [.init(id: 9_999, values: [.string("")])]
                #expect(try store.save(changes).isEmpty)
                try read(first)
                #expect(try first.takePagesRead() > 1_000)
            }
        }
        try store.close()
    }
}
