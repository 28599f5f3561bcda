import Foundation
import StrataPersistence
import Testing

@testable import StrataSQLite

/// Unreadable pages, and the repairs that are then omitted.
extension StoreCheckTests {
    /// Overwrites the beginning of a table's last leaf page, so that only the rows before it can be read.
    private func damage(_ table: String) throws {
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        let size = Int(try connection.number("PRAGMA page_size") ?? 0)
        let root = try connection.number("SELECT rootpage FROM sqlite_schema WHERE name = ?", .string(table))
        connection.close()
        var data = try Data(contentsOf: file)
        var start = (Int(try #require(root)) - 1) * size
        while data[start] == 5 || data[start] == 2 {
            start = (data[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) } - 1) * size
        }
        for index in start..<start + 8 { data[index] = 0xFF }
        try data.write(to: file)
    }

    private static let manyMembers = """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
        INSERT INTO Member SELECT i, 1, 1, 1, NULL FROM n;
        """

    private func number(_ sql: String) throws -> Int64? {
        let connection = try SQLiteConnection(path: file.path, access: .readOnly, busyTimeout: .zero)
        defer { connection.close() }
        return try connection.number(sql)
    }

    @Test("a repair does not guess the next identifier if the rows with the greatest identifiers are unreadable")
    func unreadableRows() throws {
        try spoil(Self.manyMembers + "UPDATE strata_sequence SET next = 0 WHERE entity = 'Member'")
        try damage("Member")
        let fault = StoreFault(
            .sequence, "the next identifier, 0, is not an identifier; the greatest identifier is not known",
            entity: "Member")
        let faults = try found()
        #expect(faults.contains(fault))
        // Rebuilding an index does not repair the faults of pages that SQLite reports.
        #expect(faults.filter { $0.kind == .file }.allSatisfy { !$0.isRepairable })
        let repaired = try check(repairing: true)
        #expect(!repaired.summary.repairs.contains { $0.hasPrefix("set the next identifier") })
        #expect(repaired.faults.contains("\(fault)"))
        #expect(try number("SELECT next FROM strata_sequence WHERE entity = 'Member'") == 0)
    }

    @Test("the table of next identifiers is rebuilt only if all greatest identifiers are known")
    func unknownGreatest() throws {
        try spoil(Self.manyMembers + "DROP TABLE strata_sequence")
        let whole = try Data(contentsOf: file)
        let missing = "the table strata_sequence, which has the next identifiers, is missing"
        func expectNotMade() throws {
            #expect(try found().contains(StoreFault(.sequence, missing)))
            #expect(try check(repairing: true).summary.repairs.filter { $0.contains("next identifier") } == [])
            #expect(try number("SELECT count(*) FROM sqlite_schema WHERE name = 'strata_sequence'") == 0)
        }
        try damage("Member")
        try expectNotMade()
        try whole.write(to: file)
        try spoil("UPDATE Badge SET id = 9007199254740991 WHERE id = 2")
        try expectNotMade()
        try whole.write(to: file)
        #expect(try found() == [StoreFault(.sequence, missing, isRepairable: true)])
    }

    @Test(
        "an unreadable metadata table of the store does not end a check or a repair",
        arguments: ["strata_sequence", "strata_metadata"])
    func ownTables(_ table: String) throws {
        try spoil("UPDATE Club SET name = '' WHERE id = 2")
        try damage(table)
        let kind: StoreFault.Kind = table == "strata_sequence" ? .sequence : .metadata
        let faults = try found()
        #expect(faults.contains { $0.kind == kind && $0.message.hasPrefix("the table \(table) cannot be read: ") })
        for faults in [faults.map(\.description), try check(repairing: true).faults, try check().faults] {
            #expect(faults.contains("Club 2 name: is shorter than 1"), "\(faults)")
            #expect(faults.contains { $0.contains("SQLite's check") }, "\(faults)")
        }
        #expect(try found(repairing: true).allSatisfy { !$0.isRepairable })
    }

    @Test("an unreadable table is reported once, and a join table is reported by its relationship")
    func unreadableOnce() throws {
        try spoil(
            Self.manyMembers + """
                WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                INSERT INTO Club_badges SELECT 2, i FROM n
                """)
        let whole = try Data(contentsOf: file)
        for (table, place) in [("Member", "Member"), ("Club_badges", "Club badges")] {
            try whole.write(to: file)
            try damage(table)
            let faults = try check().faults.filter { $0.contains("cannot be read to the end") }
            #expect(faults.count == 1 && faults[0].hasPrefix("\(place): cannot be read to the end: "), "\(faults)")
        }
    }

    @Test("a check that lists only a part of the faults reports that SQLite found more")
    func more() throws {
        let more = "SQLite's check found more and stopped"
        #expect(try !found().contains { $0.message == more })
        try spoil(Self.manyMembers + "PRAGMA wal_checkpoint(TRUNCATE)")
        let size = Int(try #require(try number("PRAGMA page_size")))
        let pages = try ["Club_founded", "Member_club"].map { index in
            let root = try number("SELECT rootpage FROM sqlite_schema WHERE name = '\(index)'")
            return Int(try #require(root) - 1) * size
        }
        // The index has the entries of another one, so that each row is missing from it.
        var data = try Data(contentsOf: file)
        data.replaceSubrange(pages[1]..<pages[1] + size, with: data[pages[0]..<pages[0] + size])
        try data.write(to: file)
        let faults = try found()
        #expect(faults.contains { $0.message == more })
        #expect(faults.count(where: { $0.message.contains("missing from index") }) > 900)
    }

    @Test("a repair also removes a next identifier whose entity name is not valid text")
    func brokenName() throws {
        try spoil("UPDATE strata_sequence SET entity = CAST(x'ff42616467' AS TEXT) WHERE entity = 'Badge'")
        #expect(try check(repairing: true).faults == [])
        #expect(try number("SELECT count(*) FROM strata_sequence") == 3)
        #expect(try check().faults == [])
        try spoil("UPDATE strata_sequence SET entity = CAST(x'426164676500ff' AS TEXT) WHERE entity = 'Badge'")
        #expect(try check(repairing: true).faults == [])
        #expect(try check().faults == [])
    }

    @Test("foreign indexes and triggers are unchanged, and are reported as faults if they affect writes")
    func foreign() throws {
        try spoil("CREATE INDEX my_report ON Member (rank, isActive); CREATE INDEX Member_old ON Club (name, founded)")
        #expect(try found() == [] && check(repairing: true).summary.repairs == [])
        try spoil("DROP INDEX Member_club; CREATE INDEX member_CLUB ON Club (name)")
        let other = "the index Member_club is different from the model's"
        #expect(try found() == [.init(.index, other, entity: "Member", isRepairable: true)])
        #expect(try check(repairing: true).faults == [])
        try spoil("DROP INDEX Member_club; CREATE VIEW Member_club AS SELECT 1")
        #expect(
            try found() == [.init(.index, "the index Member_club is missing; a view has its name", entity: "Member")])
        try spoil("DROP VIEW Member_club; CREATE INDEX Member_club ON Member (club)")
        try spoil(
            "CREATE UNIQUE INDEX only ON Member (rank); CREATE TRIGGER t AFTER INSERT ON member BEGIN DELETE FROM Club; END; "
                + "CREATE TRIGGER u AFTER DELETE ON strata_metadata BEGIN SELECT 1; END")
        let left = [
            StoreFault(
                .index, "the index only enforces a uniqueness that the model does not declare", entity: "Member"),
            StoreFault(.schema, "the trigger t changes what other programs write", entity: "Member"),
            StoreFault(.schema, "the trigger u changes what other programs write"),
        ]
        #expect(try found() == left)
        #expect(try found(repairing: true) == left)
        #expect(try number("SELECT count(*) FROM sqlite_schema WHERE name IN ('my_report', 'Member_old')") == 2)
    }
}
