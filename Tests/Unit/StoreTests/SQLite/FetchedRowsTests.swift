import Foundation
import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQL
@testable import StrataSQLite

/// The values of rows that an SQLite statement returns.
@Suite("Rows fetched by an SQLite store")
struct FetchedRowsTests {
    private static let model = Result {
        try ManagedObjectModel([
            EntityDescription(
                "Part",
                [
                    .attribute(AttributeDescription("rank", .integer64, isIndexed: true)),
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("price", .decimal(scale: 2), isOptional: true)),
                    .attribute(AttributeDescription("note", .string, isOptional: true)),
                    .attribute(AttributeDescription("drawing", .binary, isOptional: true)),
                    .attribute(AttributeDescription("text", .string)),
                    .attribute(AttributeDescription("code", .integer64)),
                    .attribute(AttributeDescription("weight", .double)),
                    .attribute(AttributeDescription("isSold", .boolean, isOptional: true)),
                    .attribute(AttributeDescription("madeAt", .date)),
                ], indexes: [["code", "name"]])
        ])
    }

    /// Recreates the table without its constraints, so that it accepts any value.
    private static let loosening = """
        CREATE TABLE loose AS SELECT * FROM Part; DROP TABLE Part; \
        CREATE TABLE Part \
        (id INTEGER PRIMARY KEY, _version, rank, name, price, note, drawing, text, code, weight, isSold, madeAt); \
        INSERT INTO Part SELECT * FROM loose;
        """

    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let layout: SQLLayout

    init() throws {
        folder = try TemporaryFolder()
        let model = try Self.model.get()
        store = try SQLiteStore.open(at: folder.file("parts.sqlite"), model: model)
        layout = SQLLayout(model: model, dialect: SQLiteDialect())
    }

    private static func row(_ id: Int64, rank: Int64, texts: (String, String?, String)) -> ChangeSet.Insertion {
        let values: [StoredValue] = [
            .integer(rank), .string(texts.0), .decimal(ScaledDecimal(unscaled: id, scale: 2)),
            texts.1.map(StoredValue.string) ?? .null, id % 2 == 0 ? .null : .binary(Data([UInt8(id)])),
            .string(texts.2),
            .integer(0), .double(Double(id)), id % 3 == 0 ? .null : .boolean(id % 2 == 0),
            .date(Date(timeIntervalSinceReferenceDate: Double(id) * 0.5)),
        ]
        return ChangeSet.Insertion(id: id, values: values)
    }

    @discardableResult
    private func insert(_ rows: [ChangeSet.Insertion]) throws -> [StoredRow] {
        var changes = ChangeSet()
        changes["Part"].insertions = rows
        #expect(try store.save(changes).isEmpty)
        return rows.map { StoredRow(id: $0.id, version: 1, values: $0.values) }
    }

    private func rows(_ request: StoreRequest = StoreRequest("Part"), on connection: SQLiteConnection) throws
        -> [StoredRow]
    {
        var rows: [StoredRow] = []
        try connection.fetch(try request.resolved(in: layout.model), in: layout) { row in
            rows.append(
                StoredRow(id: row.rawID, version: row.version, values: try (0..<10).map { try row.value(at: $0) }))
            return .next
        }
        return rows
    }

    @Test("fetched rows have all stored values, including texts of every length")
    func values() throws {
        let lengths = [0, 1, 3, 4, 7, 8, 15, 16, 17, 100, 250, 256, 257, 5_000, 40_000, 1_500_000, 2_000_000]
        func text(_ length: Int, _ letter: String) -> String { String(repeating: letter, count: length) }
        let written = try insert(
            lengths.indices.map { place in
                let others = (lengths[(place + 5) % lengths.count], lengths[(place + 9) % lengths.count])
                return Self.row(
                    Int64(place + 1), rank: Int64(place),
                    texts: (
                        text(lengths[place], "n"), place % 4 == 0 ? nil : text(others.0, "o"), text(others.1, "t")
                    ))
            })
        for _ in 1...2 {
            let read = try store.pool.withConnection { try rows(on: $0) }
            #expect(read == written)
        }
        try store.close()
    }

    @Test("the row of a fetch stays readable while another fetch runs on the same connection")
    func nested() throws {
        let written = try insert((1...3).map { Self.row($0, rank: $0, texts: ("n\($0)", nil, "t")) })
        try store.pool.withConnection { connection in
            let request = try StoreRequest("Part").resolved(in: layout.model)
            var ids: [Int64] = []
            try connection.fetch(request, in: layout) { row in
                let inner = try rows(on: connection)
                #expect(inner == written)
                let name: String = try row[1]
                #expect(name == "n\(row.rawID)")
                ids.append(row.rawID)
                return .next
            }
            #expect(ids == [1, 2, 3])
        }
        try store.close()
    }

    @Test("a value of a wrong type throws, and the other values of the row stay readable")
    func wrong() throws {
        try insert((1...3).map { Self.row($0, rank: $0, texts: ("n", "o", "t")) })
        try store.pool.withConnection { connection in
            try connection.execute("\(Self.loosening) UPDATE Part SET rank = 'high', note = 7 WHERE id = 2")
            var errors: [PersistenceError] = []
            try connection.fetch(try StoreRequest("Part").resolved(in: layout.model), in: layout) { row in
                for place in [0, 3] {
                    do { _ = try row.value(at: place) } catch let error as PersistenceError { errors.append(error) }
                }
                let (name, price): (String, StoredValue) = (try row[1], try row.value(at: 2))
                #expect(name == "n")
                #expect(price == .decimal(ScaledDecimal(unscaled: row.rawID, scale: 2)))
                return .next
            }
            #expect(errors.map(\.code) == [.corrupt, .corrupt])
            #expect(errors.map(\.id) == [2, 2])
            #expect(errors.map(\.attribute) == ["rank", "note"])
            // The statement has ended: SQLite does not drop a table that is being read.
            try connection.execute("DROP TABLE Part")
        }
        try store.close()
    }

    @Test("a fetch that is stopped early or throws does not affect the next fetch")
    func ended() throws {
        struct Enough: Error {}
        let written = try insert((1...3).map { Self.row($0, rank: $0, texts: ("n\($0)", nil, "t")) })
        try store.pool.withConnection { connection in
            let request = try StoreRequest("Part").resolved(in: layout.model)
            try connection.fetch(request, in: layout) { _ in .stop }
            let afterStop = try rows(on: connection)
            #expect(afterStop == written)
            #expect(throws: Enough.self) { try connection.fetch(request, in: layout) { _ in throw Enough() } }
            let afterError = try rows(on: connection)
            #expect(afterError == written)
        }
        try store.close()
    }

    @Test(
        "reading a value of a wrong type throws even if the row was deleted during the fetch")
    func deleted() throws {
        try insert([Self.row(1, rank: 1, texts: ("n", "o", "t"))])
        try store.pool.withConnection { connection in
            try connection.execute("\(Self.loosening) UPDATE Part SET rank = 'high'")
            try connection.fetch(try StoreRequest("Part").resolved(in: layout.model), in: layout) { row in
                try connection.execute("DELETE FROM Part")
                let error = #expect(throws: PersistenceError.self) { try row.value(at: 0) }
                #expect(error?.attribute == "rank")
                let name: String = try row[1]
                #expect(name == "n")
                return .next
            }
        }
        try store.close()
    }

    @Test("a row reader used after the end of its fetch returns null for every column")
    func kept() throws {
        try insert([Self.row(1, rank: 7, texts: ("n", nil, "t"))])
        try store.pool.withConnection { connection in
            var kept: [RowReader] = []
            try connection.fetch(try StoreRequest("Part").resolved(in: layout.model), in: layout) { row in
                kept.append(row)
                return .next
            }
            let reader = try #require(kept.first)
            #expect(reader.rawID == 0)
            let values = try (0..<10).map { try reader.value(at: $0) }
            #expect(values == Array(repeating: .null, count: 10))
        }
        try store.close()
    }

    @Test("a row may have more columns than a SQLite function has arguments", arguments: [125, 126])
    func wide(_ width: Int) throws {
        let wide = EntityDescription(
            "Wide", (0..<width).map { .attribute(AttributeDescription("a\($0)", .integer64)) })
        let wideStore = try SQLiteStore.open(at: folder.file("wide.sqlite"), model: try ManagedObjectModel([wide]))
        var changes = ChangeSet()
        let values = (0..<width).map { StoredValue.integer(Int64($0 * $0)) }
        changes["Wide"].insertions = [.init(id: 1, values: values)]
        #expect(try wideStore.save(changes).isEmpty)
        var read: [[StoredValue]] = []
        try wideStore.fetch(StoreRequest("Wide")) { row in
            read.append(try (0..<width).map { try row.value(at: $0) })
            return .next
        }
        #expect(read == [values])
        try wideStore.close()
    }
}
