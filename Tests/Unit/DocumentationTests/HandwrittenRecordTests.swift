import Foundation
import StrataPersistence
import StrataTesting
import Testing

struct Receipt: PersistentRecord {
    let id: RecordID<Receipt>
    var reference: String
    var year: Int
    var number: Int?
    var paid: Day
    var total: Decimal
    var replaces: RecordID<Receipt>?

    static let entity = RecordEntity<Receipt>(
        "Receipt", id: \.id,
        [
            .attribute("reference", \.reference, rules: [.maximumLength(40)], isUnique: true),
            .attribute("year", \.year),
            .attribute("number", \.number),
            .attribute("paid", \.paid, isIndexed: true),
            .attribute("total", \.total, scale: 2),
            .toOne("replaces", \.replaces, to: "Receipt"),
        ]
    ) { row in
        try Receipt(
            id: row.id(), reference: row.next(), year: row.next(), number: row.next(), paid: row.next(),
            total: row.next(), replaces: row.next())
    }
}

@Suite("A record type by hand")
struct HandwrittenRecordTests {
    @Test("five attributes and a reference take at most 30 lines, as the page “Creating a model” says")
    func lines() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("struct Receipt") }
        let count = try #require(lines.firstIndex(of: "}")) - lines.startIndex + 1
        #expect(count == 25)
    }

    @Test("the record type is saved and found by its unique attribute")
    func saving() async throws {
        let records = try InMemoryRecords(ManagedObjectModel(records: [Receipt.self]))
        let paid = Day(clampingYear: 2026, month: 11, day: 30)
        let receipt = try await records.insert(Receipt.self) {
            Receipt(id: $0, reference: "A-1", year: 2026, number: 1, paid: paid, total: 12.5, replaces: nil)
        }
        #expect(try await records.find(Receipt.self, by: \.reference, "A-1")?.id == receipt.id)
    }
}
