import Foundation
import StrataPersistence
import StrataTesting
import Testing

@Suite("The example of a custom model")
struct InvoiceExampleTests {
    @Test("a sent invoice is overdue on the day after its due day")
    func overdue() async throws {
        let invoices = Invoices(records: try InMemoryRecords(Invoicing.model()))
        let due = try Day(year: 2026, month: 11, day: 30)
        let draft = try await invoices.draft("ACME-1", due: due, lines: [("Hosting", 120), ("Support", 80)])
        let sent = try await invoices.send(draft.id)
        #expect(sent.number == 1 && sent.total == 200)
        #expect(try await invoices.overdue(on: due) == [])
        #expect(try await invoices.overdue(on: Day(year: 2026, month: 12, day: 1)) == [sent])
    }

    @Test("invoice numbers are consecutive within a year, and invoice lines keep their order")
    func numbers() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("invoices.sqlite")

        let container = try PersistentContainer(model: Invoicing.model(), .sqlite(at: file), mainQueue: .private)
        let invoices = Invoices(records: container.backgroundContext)

        for (reference, year) in [("a", 2026), ("b", 2026), ("c", 2027)] {
            let due = try Day(year: year, month: 1, day: 31)
            let draft = try await invoices.draft(reference, due: due, lines: [("first", 1), ("second", 2)])
            try await invoices.tag(draft.id, "all")
            try await invoices.tag(draft.id, reference)
            _ = try await invoices.send(draft.id)
            let lines = try await invoices.records.transaction {
                try $0.related(\.lines, of: Invoice.self, id: draft.id)
            }
            #expect(lines.map(\.text) == ["first", "second"])
        }
        let sent = try await invoices.records.fetch(FetchRequest<Invoice>(sort: [SortKey(\.reference)]))
        #expect(sent.map(\.numberKey) == ["2026/1", "2026/2", "2027/1"])
        #expect(try await invoices.records.count(FetchRequest<InvoiceTag>()) == 4)
        try container.close()
    }

    @Test("an invoice with an existing reference or an invalid amount throws and is not stored")
    func refusals() async throws {
        let invoices = Invoices(records: try InMemoryRecords(Invoicing.model()))
        let due = try Day(year: 2026, month: 11, day: 30)
        _ = try await invoices.draft("ACME-1", due: due, lines: [])
        let taken = await #expect(throws: PersistenceError.self) {
            try await invoices.draft("ACME-1", due: due, lines: [("Hosting", 120)])
        }
        #expect(taken?.code == .uniqueness)
        let fraction = await #expect(throws: PersistenceError.self) {
            try await invoices.draft("ACME-2", due: due, lines: [("Hosting", Decimal(string: "0.001") ?? 0)])
        }
        #expect(fraction?.code == .validation)
        #expect(try await invoices.records.count(FetchRequest<InvoiceLine>()) == 0)
    }
}
