import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// Rows that no store writes are rejected when they are read, with entity, attribute and identifier.
@Suite("Rows that break the schema")
struct DamagedRowsTests {
    struct Note: PersistentRecord {
        let id: LibraryID
        var title: String
        var rank: Int

        static let entity = RecordEntity<Note>(
            "Note", id: \.id, [.attribute("title", \.title), .attribute("rank", \.rank, isIndexed: true)]
        ) { Note(id: try $0.id(), title: try $0.next(), rank: try $0.next()) }
    }

    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    /// Creates five notes, whose titles occur in the file once each.
    init() throws {
        folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Self.model())
        var changes = ChangeSet()
        changes["Note"].insertions = (1...5).map {
            .init(id: $0, values: [.string("title \($0)"), .integer(10 * $0)], version: 1)
        }
        #expect(try store.save(changes).isEmpty)
        try store.close()
    }

    private static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: [Note.self]) }

    /// Recreates the table without its constraints and changes a row.
    private func spoil(_ sql: String) throws {
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        try connection.execute(
            """
            DROP VIEW IF EXISTS Note_view; CREATE TABLE loose ("id" INTEGER PRIMARY KEY, "_version" INTEGER, "title", "rank"); \
            INSERT INTO loose SELECT * FROM Note; DROP TABLE Note; ALTER TABLE loose RENAME TO "Note"; \(sql)
            """)
    }

    /// Changes the identifier of a row in the table's page.
    ///
    /// The identifier precedes the row's header, which precedes its version.
    private func renumber(_ row: Int64, _ id: UInt8) throws {
        var data = try Data(contentsOf: file)
        let title = try #require(data.firstRange(of: Data("title \(row)".utf8))).lowerBound
        // The header consists of its own size, null for the identifier, and the types of version, title and rank.
        let header = try #require((5...16).map { title - $0 }.first { data[$0] == 5 && data[$0 + 1] == 0 })
        try #require(data[header - 1] == UInt8(row))
        data[header - 1] = id
        try data.write(to: file)
    }

    /// The ways to read rows by their identifiers.
    enum Reading: CaseIterable, Sendable {
        case values, records, cursor, snapshot, transaction
    }

    private func read(_ reading: Reading, _ request: StoreRequest = StoreRequest("Note")) throws -> [Int64] {
        let container = try PersistentContainer(model: try Self.model(), .sqlite(at: file), mainQueue: .private)
        defer { try? container.close() }
        let store = container.coordinator.store
        var ids: [Int64] = []
        func take(_ row: RowReader) throws -> FetchFlow {
            ids.append(row.rawID)
            _ = try [0, 1].map { try row.value(at: $0) }
            return .next
        }
        switch reading {
        case .values: try store.fetch(request, take)
        case .records:
            ids = try container.backgroundContext.performAndWait {
                try $0.fetchRecords(FetchRequest<Note>()).map(\.id.rawValue)
            }
        case .cursor: _ = try store.openCursor(request).read(take)
        case .snapshot:
            let snapshot = try store.openSnapshots(1)[0]
            defer { snapshot.close() }
            _ = try snapshot.openCursor(request).read(take)
        case .transaction:
            try store.transaction { transaction in
                try transaction.fetch(request, take)
                return .rollBack
            }
        }
        return ids
    }

    private func expectDamage(
        _ reading: Reading, id: Int64, attribute: String, _ what: String,
        _ request: StoreRequest = StoreRequest("Note"),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: PersistenceError.self, sourceLocation: sourceLocation) {
            _ = try read(reading, request)
        }
        #expect(error?.code == .corrupt, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(
            error?.description
                == "Note.\(attribute): row \(id) \(what); the file was damaged or changed by another program",
            sourceLocation: sourceLocation)
        #expect(error?.id == id, sourceLocation: sourceLocation)
    }

    @Test("intact rows are read", arguments: Reading.allCases)
    func whole(_ reading: Reading) throws {
        #expect(try read(reading) == [1, 2, 3, 4, 5])
    }

    @Test("null in a mandatory column is reported as corrupt", arguments: Reading.allCases, ["title", "rank"])
    func null(_ reading: Reading, column: String) throws {
        try spoil("UPDATE Note SET \(column) = NULL WHERE id = 3")
        expectDamage(reading, id: 3, attribute: column, "contains null, which is not allowed")
    }

    @Test(
        "a value of another storage class or a text that is not UTF-8 is reported as corrupt",
        arguments: [Reading.values, .cursor, .snapshot, .transaction])
    func type(_ reading: Reading) throws {
        for (value, column, type) in [
            ("'x'", "rank", "integer64"), ("1.5", "rank", "integer64"), ("x'00'", "title", "string"),
            ("CAST(x'61FF62' AS TEXT)", "title", "string"),
        ] {
            try spoil("UPDATE Note SET title = 'ok', rank = 1; UPDATE Note SET \(column) = \(value) WHERE id = 4")
            expectDamage(reading, id: 4, attribute: column, "contains a value that is not of type \(type)")
        }
    }

    @Test("an invalid identifier is reported as corrupt", arguments: Reading.allCases, [0, -4, Int64(1) << 53])
    func identifier(_ reading: Reading, id: Int64) throws {
        try spoil("UPDATE Note SET id = \(id) WHERE id = 5")
        expectDamage(
            reading, id: id, attribute: "id", "has an identifier out of range (1 to 9007199254740991)")
    }

    @Test(
        "rows in the wrong order or repeated rows are reported as corrupt", arguments: Reading.allCases, [UInt8(2), 1])
    func order(_ reading: Reading, id: UInt8) throws {
        try renumber(4, id)
        expectDamage(
            reading, id: Int64(id), attribute: "id", "follows row 3 and is not in ascending order")
    }

    @Test(
        "a sorted fetch accepts identifiers in any order, and a corrupt row that is not selected causes no error",
        arguments: [Reading.values, .cursor])
    func otherOrders(_ reading: Reading) throws {
        let descending = StoreRequest("Note", sort: [.init("rank", descending: true)])
        #expect(try read(reading, descending) == [5, 4, 3, 2, 1])
        #expect(try read(reading, StoreRequest("Note", sort: [.init("id", descending: true)])) == [5, 4, 3, 2, 1])
        try spoil("UPDATE Note SET rank = NULL WHERE id = 3")
        let others = StoreRequest("Note", where: .compare(.property("id"), .greater, .constant(.integer(3))))
        #expect(try read(reading, others) == [4, 5])
    }
}
