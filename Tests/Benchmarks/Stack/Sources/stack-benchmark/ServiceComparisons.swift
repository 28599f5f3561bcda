import Foundation
import GRDB
import StrataPersistence
import StrataStoreKit

/// Typical operations of a service, compared with GRDB's handwritten records: a small unit of work, a page by cursor,
/// and JSON lines.
struct ServiceComparisons {
    static let names = ["transaction", "page", "export-records"]

    private static let bossCount: Int64 = 20
    private static let employeeCount: Int64 = 100_000
    private static let exportedCount = 50_000
    private static let updatedCount = 1_000
    private static let pageCount = 500
    private static let pageSize = 50

    private let container: PersistentContainer
    private let database: DatabaseQueue
    /// The identifiers in an order without neighbors next to each other.
    private let shuffledIDs: [Int64]

    /// Fills a separate store and database with the same rows.
    init(folder: URL) throws {
        let file = folder.appendingPathComponent("service-\(UUID().uuidString).sqlite")
        container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Chief.self, Member.self]), .sqlite(at: file), mainQueue: .private)
        var random = SplitMix(state: 2027)
        let rows = (1...Self.employeeCount).map { id in
            MemberRow(
                id: id, name: "Employee \(id)", salary: Int64(random.next() % 100_000),
                boss: Int64(random.next() % UInt64(Self.bossCount)) + 1)
        }
        shuffledIDs = rows.map(\.id).shuffled(using: &random)
        try container.batchWrite { writer in
            let chiefs = try writer.inserter(of: "Chief", InsertOptions(onMissingReference: .error))
            for id in 1...Self.bossCount {
                try chiefs.insert(
                    id: id, values: [.string("Chief \(id)")], location: RowLocation(line: Int(id), record: Int(id)))
            }
            let members = try writer.inserter(of: "Member", InsertOptions(onMissingReference: .error))
            for row in rows {
                try members.insert(
                    id: row.id, values: [.string(row.name), .integer(row.salary), .integer(row.boss)],
                    location: RowLocation(line: Int(row.id), record: Int(row.id)))
            }
        }
        var configuration = Configuration()
        configuration.journalMode = .wal
        let path = folder.appendingPathComponent("service-\(UUID().uuidString)-grdb.sqlite").path
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { db in
            try db.execute(sql: Self.schema)
            for row in rows { try row.insert(db) }
        }
    }

    /// The tables in Strata's layout, with the same indexes of references on both sides.
    private static let schema = """
        CREATE TABLE "Member" (
            "id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "name" TEXT NOT NULL, "salary" INTEGER NOT NULL,
            "boss" INTEGER
        ) STRICT;
        CREATE INDEX "Member_boss" ON "Member" ("boss");
        """

    /// Prints a line `ratio NAME VALUE` for each name.
    func report(_ names: [String], rounds: Int) throws {
        for name in names {
            let result = try comparison(name).run(rounds: rounds)
            let (strata, grdb) = (result.strata, result.grdb)
            print("\(name): Strata \(strata.median.text(1)) ms (least \(strata.least.text(1))),", terminator: " ")
            print("GRDB \(grdb.median.text(1)) ms (least \(grdb.least.text(1)))")
            print("ratio \(name) \(result.ratio.text(3))")
        }
        try container.destroyPersistentStore()
        try database.close()
    }

    private func comparison(_ name: String) -> Comparison {
        switch name {
        case "transaction": Comparison(name: name, strata: update, grdb: updateByHand)
        case "page": Comparison(name: name, strata: page, grdb: pageByHand)
        default: Comparison(name: name, strata: export, grdb: exportByHand)
        }
    }

    // MARK: Single updates, each in a unit of work

    private func update() throws -> (Duration, Checksum) {
        let context = container.newBackgroundContext()
        return try timed {
            for id in shuffledIDs.prefix(Self.updatedCount) {
                try context.performTransactionAndWait { context in
                    let member = try context.existingObject(with: Member.id(id), of: Member.self)
                    member.salary += 1
                }
            }
        } seen: {
            var checksum = Checksum()
            let request = FetchRequest<Member>(sort: [SortKey(\.id)])
            for member in try context.performAndWait({ try $0.fetchRecords(request) }) {
                checksum.add(member.id.rawValue, member.name, member.salary, member.boss?.rawValue)
            }
            return checksum
        }
    }

    private func updateByHand() throws -> (Duration, Checksum) {
        try timed {
            for id in shuffledIDs.prefix(Self.updatedCount) {
                try database.write { db in
                    guard var member = try MemberRow.fetchOne(db, key: id) else {
                        throw BenchmarkError("GRDB has no employee \(id)")
                    }
                    // Both sides increment the version.
                    try member.updateChanges(db) {
                        $0.salary += 1
                        $0.version += 1
                    }
                }
            }
        } seen: {
            var checksum = Checksum()
            for member in try database.read({ try MemberRow.order(Column("id")).fetchAll($0) }) {
                checksum.add(member.id, member.name, member.salary, member.boss)
            }
            return checksum
        }
    }

    // MARK: Pages

    /// Runs a body for pages distributed over the table, one boss after the other; each page is a request with a
    /// separate state.
    private func pages(_ body: (_ boss: Int64, _ after: Int64) throws -> Void) rethrows {
        for number in 0..<Int64(Self.pageCount) {
            try body(number % Self.bossCount + 1, number * (Self.employeeCount - 2_000) / Int64(Self.pageCount) + 1)
        }
    }

    private func page() throws -> (Duration, Checksum) {
        let context = container.newBackgroundContext()
        return try timed {
            var checksum = Checksum()
            try pages { boss, after in
                let (boss, after) = (try Chief.id(boss), try Member.id(after))
                let members = try context.performAndWait { context in
                    try context.fetchRecords(
                        FetchRequest<Member>(
                            where: #Predicate { $0.boss == boss && $0.id > after }, sort: [SortKey(\.id)],
                            limit: Self.pageSize))
                }
                for member in members {
                    checksum.add(member.id.rawValue, member.name, member.salary, member.boss?.rawValue)
                }
            }
            return checksum
        }
    }

    private func pageByHand() throws -> (Duration, Checksum) {
        try timed {
            var checksum = Checksum()
            try pages { boss, after in
                let members = try database.read { db in
                    let statement = try db.cachedStatement(
                        sql: """
                            SELECT "id", "_version", "name", "salary", "boss" FROM "Member"
                            WHERE "boss" = ? AND "id" > ? ORDER BY "id" LIMIT \(Self.pageSize)
                            """)
                    return try MemberRow.fetchAll(statement, arguments: [boss, after])
                }
                for member in members { checksum.add(member.id, member.name, member.salary, member.boss) }
            }
            return checksum
        }
    }

    // MARK: JSON lines

    private func export() throws -> (Duration, Checksum) {
        let context = container.newBackgroundContext()
        let request = FetchRequest<Member>(sort: [SortKey(\.id)], limit: Self.exportedCount)
        var lines = Data()
        return try timed {
            lines = try waiting {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                var lines = Data()
                for try await member in context.stream(request) {
                    lines.append(try encoder.encode(member))
                    lines.append(UInt8(ascii: "\n"))
                }
                return lines
            }
        } seen: {
            Checksum(of: lines)
        }
    }

    private func exportByHand() throws -> (Duration, Checksum) {
        var lines = Data()
        return try timed {
            try database.read { db in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                let cursor = try CodableMember.fetchCursor(
                    db, sql: #"SELECT "id", "name", "salary", "boss" FROM "Member" ORDER BY "id" LIMIT ?"#,
                    arguments: [Self.exportedCount])
                while let member = try cursor.next() {
                    lines.append(try encoder.encode(member))
                    lines.append(UInt8(ascii: "\n"))
                }
            }
        } seen: {
            Checksum(of: lines)
        }
    }
}

extension Checksum {
    mutating func add(_ id: Int64, _ name: String, _ salary: Int64, _ boss: Int64?) {
        add(
            id: id, name: name, salary: Int(salary), dateHired: Date(timeIntervalSinceReferenceDate: 0),
            boss: boss)
    }

    fileprivate init(of lines: Data) {
        self.init()
        add(Int64(lines.count), "", lines.reduce(0) { $0 &* 31 &+ Int64($1) } & 0xFFFF_FFFF, nil)
    }
}

private struct Chief: PersistentRecord, Hashable {
    let id: RecordID<Chief>
    var name: String

    static let members = ToMany<Chief, Member>("members", to: "Member", inverse: "boss")
    static let entity = RecordEntity<Chief>(
        "Chief", id: \.id, [.attribute("name", \.name), .relationship(members)], rules: .model
    ) { Chief(id: try $0.id(), name: try $0.next()) }
}

private struct Member: PersistentRecord, Hashable, Codable {
    let id: RecordID<Member>
    var name: String
    var salary: Int64
    var boss: RecordID<Chief>?

    static let entity = RecordEntity<Member>(
        "Member", id: \.id,
        [
            .attribute("name", \.name), .attribute("salary", \.salary),
            .toOne("boss", \.boss, to: "Chief", inverse: "members"),
        ], rules: .model
    ) { Member(id: try $0.id(), name: try $0.next(), salary: try $0.next(), boss: try $0.next()) }
}

/// A record as GRDB's documentation recommends for speed.
private struct MemberRow: FetchableRecord, PersistableRecord {
    static let databaseTableName = "Member"

    var id: Int64
    var version: Int64 = 1
    var name: String
    var salary: Int64
    var boss: Int64

    init(id: Int64, name: String, salary: Int64, boss: Int64) {
        (self.id, self.name, self.salary, self.boss) = (id, name, salary, boss)
    }

    init(row: Row) {
        id = row[0]
        version = row[1]
        name = row[2]
        salary = row[3]
        boss = row[4]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["_version"] = version
        container["name"] = name
        container["salary"] = salary
        container["boss"] = boss
    }
}

/// The same record with `Codable`.
private struct CodableMember: FetchableRecord, TableRecord, Codable {
    static let databaseTableName = "Member"

    var id: Int64
    var name: String
    var salary: Int64
    var boss: Int64?
}

extension PersistentRecord where ID == RecordID<Self> {
    fileprivate static func id(_ number: Int64) throws -> ID {
        guard let id = ID(rawValue: number) else { throw BenchmarkError("\(number) is not an identifier") }
        return id
    }
}
