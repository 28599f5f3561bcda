import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataSQLite

/// One flipped bit anywhere in a store: no impossible value is read, and a check reports every detectable fault.
@Suite("Stores with flipped bits")
struct FlippedStoreTests {
    private typealias Club = StoreCheckTests.Club
    private typealias Member = StoreCheckTests.Member
    private typealias Badge = StoreCheckTests.Badge

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Club.self, Member.self, Badge.self])
    }

    /// Creates enough rows for trees of several pages, in pages of 512 bytes.
    private static func prepare(_ file: URL) throws -> Data {
        let first = try SQLiteConnection(path: file.path, access: .create, busyTimeout: .zero)
        try first.execute("PRAGMA page_size = 512; PRAGMA user_version = 0; CREATE TABLE x (y); DROP TABLE x")
        first.close()
        let opening = SQLiteOpening(path: file.path, model: try model(), busyTimeout: .zero)
        try opening.create()
        let store = try SQLiteStore.open(at: file, model: try model())
        var generator = SeededGenerator(seed: 15)
        var changes = ChangeSet()
        changes["Club"].insertions = (1...Int64(40)).map { id in
            let founded = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...1_000_000, using: &generator)))
            return .init(
                id: id, values: [.string("club number \(id * 7919)"), id % 3 == 0 ? .null : .date(founded)], version: 1)
        }
        changes["Member"].insertions = (1...Int64(80)).map { id in
            let rank = Int64.random(in: 14...30_000, using: &generator)
            return .init(
                id: id, values: [.integer(rank), .boolean(id % 2 == 0), .integer((id + 1) / 2)], version: 1)
        }
        changes["Badge"].insertions = (1...20).map { .init(id: $0, values: [], version: 1) }
        for club in 1...Int64(40) {
            for factor in 1...Int64(3) {
                let pair = JoinPair(source: club, target: club * factor % 20 + 1)
                changes.joins["Club_badges", default: .init()].added.append(JoinRow(pair))
            }
        }
        #expect(try store.save(changes).isEmpty)
        for entity in ["Club", "Member", "Badge"] { _ = try store.reserveIdentifiers(200, of: entity) }
        try store.close()
        return try Data(contentsOf: file)
    }

    /// Returns the faults of a file that SQLite itself reports, or `nil` if there are none.
    private static func verdict(_ file: URL) -> String? {
        do {
            let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
            defer { connection.close() }
            if let line = try connection.texts("PRAGMA integrity_check").first(where: { $0 != "ok" }) { return line }
            return try connection.texts("PRAGMA foreign_key_check").first
        } catch {
            return "\(error)"
        }
    }

    /// Reads all rows, and returns the invalid ones that no read rejected.
    private static func wrongRows(_ file: URL) -> [String]? {
        var wrong: [String] = []
        do {
            let store = try SQLiteStore.open(at: file, model: try model(), isReadOnly: true)
            defer { try? store.close() }
            for entity in store.model.entities {
                var last: Int64 = 0
                try store.fetch(StoreRequest(entity.name)) { row in
                    if row.rawID <= last { wrong.append("\(entity.name) \(row.rawID) behind \(last)") }
                    last = row.rawID
                    for (index, column) in entity.columns.enumerated() where !column.isOptional {
                        if try row.value(at: index).isNull {
                            wrong.append("\(entity.name) \(row.rawID) \(column.name)")
                        }
                    }
                    return .next
                }
            }
            return wrong
        } catch let error as PersistenceError
            where [.corrupt, .notADatabase, .foreignStore, .newerFormat, .incompatibleModel].contains(error.code)
        {
            return nil
        } catch {
            return ["\((error as? PersistenceError)?.debugDescription ?? "\(error)")"]
        }
    }

    /// Returns the faults that a check reports, or the code of the error that ended it.
    private static func check(_ file: URL, repairing: Bool = false) -> [String] {
        var faults: [String] = []
        var options = StoreCheckOptions()
        options.repairs = repairing
        do {
            try PersistentContainer.check(model: try model(), .sqlite(at: file), options: options) {
                faults.append("\($0)")
            }
            return faults
        } catch {
            return ["\((error as? PersistenceError)?.code.description ?? "\(error)")"]
        }
    }

    /// Returns the data that must be intact for a check to begin: the schema and the store's own model.
    private static func beginning(_ file: URL) -> (schema: [String]?, model: [String]?) {
        func texts(_ sql: String) -> [String]? {
            do {
                let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
                defer { connection.close() }
                return try connection.texts(sql)
            } catch { return nil }
        }
        return (
            texts("SELECT type || name || tbl_name || rootpage || coalesce(sql, '') FROM sqlite_schema"),
            texts("SELECT value FROM strata_metadata WHERE key = 'model'")
        )
    }

    @Test("a store with a flipped bit returns no invalid row, and a check reports every detectable fault")
    func flips() throws {
        let folder = try TemporaryFolder()
        let data = try Self.prepare(folder.file("store.sqlite"))
        #expect(Self.check(folder.file("store.sqlite")) == [])
        let whole = Self.beginning(folder.file("store.sqlite"))
        var (found, unseen) = (0, 0)
        for seed in 0..<Seeds.count(40, all: 300) {
            var generator = SeededGenerator(seed: UInt64(seed))
            // Every tenth flip is in the header, which determines half of the file's meaning.
            let place = Int.random(in: 0..<(seed % 10 == 0 ? 100 : data.count), using: &generator)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            var damaged = data
            damaged[place] ^= bit
            let file = folder.file("\(seed).sqlite")
            try damaged.write(to: file)
            let rows = Self.wrongRows(file)
            #expect(rows ?? [] == [], "byte \(place), bit \(bit)")
            let faults = Self.check(file)
            if faults.isEmpty { unseen += 1 } else { found += 1 }
            let verdict = Self.verdict(file)
            #expect(verdict == nil || !faults.isEmpty, "byte \(place), bit \(bit): \(verdict ?? "")")
            #expect(rows != nil || !faults.isEmpty, "byte \(place), bit \(bit): cannot be read")
            let codes = ["corrupt", "notADatabase", "foreignStore", "newerFormat", "incompatibleModel"]
            #expect(
                faults.allSatisfy { $0.contains(" ") || codes.contains($0) }, "byte \(place), bit \(bit): \(faults)")
            if faults.contains(where: codes.contains) {
                let now = Self.beginning(file)
                #expect(
                    place < 100 || now.schema != whole.schema || now.model != nil && now.model != whole.model,
                    "byte \(place), bit \(bit): \(faults)")
            }
            guard !faults.isEmpty else { continue }
            let left = Self.check(file, repairing: true)
            #expect(Self.check(file) == left, "byte \(place), bit \(bit): a second check says what the repair said")
        }
        #expect(found > 5 && unseen > 0, "\(found) found, \(unseen) unseen")
    }
}
