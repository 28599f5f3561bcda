import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// Checks and repairs of uniqueness constraints and of indexes over several attributes.
@Suite("Checks of indexes over several attributes")
struct KeyCheckTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    /// Inserts tickets 1 to 3 of 2026 with numbers 11, 12 and 13, and two without a year.
    init() throws {
        folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Theatre.model())
        try store.insertRows(of: "Ticket") { rows in
            for (index, values) in [
                Theatre.values(2026, 11), Theatre.values(2026, 12), Theatre.values(2026, 13), Theatre.values(nil, 11),
                Theatre.values(nil, 11),
            ].enumerated() {
                _ = try rows.insert(id: nil, values: values, location: RowLocation(line: index, record: index))
            }
        }
        try store.close()
    }

    private func spoil(_ sql: String) throws {
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = OFF; \(sql)")
    }

    private func check(repairing: Bool = false) throws -> (faults: [String], summary: StoreCheckSummary) {
        var options = StoreCheckOptions()
        options.repairs = repairing
        var faults: [String] = []
        let summary = try PersistentContainer.check(
            model: try Theatre.model(), .sqlite(at: file), options: options
        ) { faults.append("\($0)") }
        return (faults, summary)
    }

    @Test("a check of an intact store reports no fault")
    func whole() throws {
        #expect(try check().faults == [])
        #expect(try check(repairing: true).summary.repairs == [])
    }

    @Test("a check reports missing and wrong indexes, and a repair creates them again")
    func indexes() throws {
        try spoil(
            """
            DROP INDEX "Ticket.year.number"; DROP INDEX "Ticket.note.price"; DROP INDEX "Ticket.show.seat";
            CREATE INDEX "Ticket.year.number" ON Ticket (year, number);
            CREATE INDEX "Ticket.note.price" ON Ticket (price, note);
            """)
        let faults = [
            "Ticket: the index Ticket.note.price is different from the model's",
            "Ticket: the index Ticket.show.seat is missing",
            "Ticket: the index Ticket.year.number is different from the model's",
        ]
        #expect(try check().faults.sorted() == faults)
        let repaired = try check(repairing: true)
        #expect(
            repaired.summary.repairs == [
                "rebuilt the index Ticket.note.price of Ticket", "rebuilt the index Ticket.show.seat of Ticket",
                "rebuilt the index Ticket.year.number of Ticket",
            ])
        #expect(try check().faults == [])
        let store = try SQLiteStore.open(at: file, model: try Theatre.model())
        defer { try? store.close() }
        let error = try persistenceError {
            _ = try store.insertRows(of: "Ticket") {
                _ = try $0.insert(
                    id: nil, values: Theatre.values(2026, 12), location: RowLocation(line: 1, record: 1))
            }
        }
        #expect(error.attribute == "year, number")
    }

    @Test("a check reports rows with equal unique values, and a repair cannot create their unique index")
    func twice() throws {
        try spoil(#"DROP INDEX "Ticket.year.number"; UPDATE Ticket SET number = 12 WHERE id = 3"#)
        let twice = "Ticket 3 year, number: Ticket 2 has these values too, but the attributes are unique together"
        #expect(try check().faults == ["Ticket: the index Ticket.year.number is missing", twice])
        let repaired = try check(repairing: true)
        #expect(repaired.summary.repairs == [])
        #expect(
            repaired.summary.failures == [
                "cannot rebuild the index Ticket.year.number: another object already has these values, which must be "
                    + "unique together"
            ])
        #expect(repaired.faults == ["Ticket: the index Ticket.year.number is missing", twice])
    }

    @Test("a check finds rows with equal unique values although the damaged index has different values")
    func doubted() throws {
        try spoil(
            """
            INSERT INTO Show VALUES (1, 1, 'Faust'); UPDATE strata_sequence SET next = 9; INSERT INTO strata_sequence VALUES ('Show', 9);
            UPDATE Ticket SET show = 1, seat = 'Parquet' WHERE id = 2; UPDATE Ticket SET show = 1, seat = 'Balcony' WHERE id = 3;
            """)
        #expect(try check().faults == [])
        // The text is in the table and in the index; if only the table is changed, two rows have the same text.
        let whole = try Data(contentsOf: file)
        let places = whole.ranges(of: Data("Balcony".utf8)).map(\.lowerBound)
        try #require(places.count >= 2)
        let twice = "Ticket 3 show, seat: Ticket 2 has these values too, but the attributes are unique together"
        let found = try places.map { place in
            var damaged = whole
            damaged.replaceSubrange(place..<place + 7, with: Data("Parquet".utf8))
            try damaged.write(to: file)
            let faults = try check().faults
            #expect(faults.contains { $0.hasPrefix("Ticket: SQLite's check: ") }, "\(faults)")
            guard faults.contains(twice) else { return false }
            let repaired = try check(repairing: true)
            #expect(
                repaired.summary.failures.contains {
                    $0.hasPrefix("cannot rebuild the index Ticket.show.seat: another object already has these values")
                }, "\(repaired.summary.failures)")
            #expect(repaired.faults.contains(twice))
            return true
        }
        #expect(found.contains(true))
    }

    @Test("a check reports an additional unique index on columns that the model does not declare unique")
    func strange() throws {
        try spoil("CREATE UNIQUE INDEX extra ON Ticket (number, note, id)")
        #expect(try check().faults == ["Ticket: the index extra enforces a uniqueness that the model does not declare"])
    }

    @Test("a check with a model that lacks the store's uniqueness constraints throws and lists the differences")
    func other() throws {
        let model = try ManagedObjectModel(
            Theatre.model().entities.map { EntityDescription($0.name, $0.properties) })
        let error = try persistenceError {
            try PersistentContainer.check(model: model, .sqlite(at: file)) { _ in }
        }
        #expect(error.code == .incompatibleModel)
        #expect(
            error.message == """
                the store was created with another model, but the store is only inspected; nothing was changed. Changes to this model:
                  remove-uniqueness Ticket (number, year)
                  remove-uniqueness Ticket (seat, show)
                """)
    }
}
