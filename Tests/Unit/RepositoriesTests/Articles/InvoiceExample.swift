import Foundation
import StrataPersistence

enum InvoiceStatus: String, AttributeValue, CaseIterable, Codable {
    case draft, sent, paid
}

struct Invoice: PersistentRecord, Hashable {
    let id: RecordID<Invoice>
    var reference: String
    var year: Int
    var number: Int?
    var status = InvoiceStatus.draft
    var due: Day
    var total: Decimal = 0
}

extension Invoice {
    /// The year and the number, which are unique together; `nil` for drafts.
    var numberKey: String? { number.map { "\(year)/\($0)" } }

    static var lines: ToMany<Invoice, InvoiceLine> {
        ToMany("lines", to: "InvoiceLine", inverse: "invoice", deleteRule: .cascade, orderedBy: "position")
    }

    static var tags: ToMany<Invoice, InvoiceTag> { ToMany("tags", to: "InvoiceTag", inverse: "invoices") }

    static let entity = RecordEntity<Invoice>(
        "Invoice", id: \.id,
        [
            .attribute("reference", \.reference, rules: [.minimumLength(1), .maximumLength(40)], isUnique: true),
            .attribute("year", \.year),
            .attribute("number", \.number, rules: [.minimum(.integer(1))]),
            .attribute("status", \.status, isIndexed: true),
            .attribute("due", \.due),
            .attribute("total", \.total, scale: 2),
            .computed("numberKey", \.numberKey, isUnique: true),
            .relationship(lines),
            .relationship(tags),
        ]
    ) { row in
        Invoice(
            id: try row.id(), reference: try row.next(), year: try row.next(), number: try row.next(),
            status: try row.next(), due: try row.next(), total: try row.next())
    }
}

struct InvoiceLine: PersistentRecord, Hashable {
    let id: RecordID<InvoiceLine>
    var text: String
    var amount: Decimal
    var invoice: Invoice.ID
    var position = 0

    static let entity = RecordEntity<InvoiceLine>(
        "InvoiceLine", id: \.id,
        [
            .attribute("text", \.text),
            .attribute("amount", \.amount, scale: 2),
            .toOne("invoice", \.invoice, to: "Invoice", inverse: "lines"),
            .attribute("position", \.position),
        ]
    ) { row in
        InvoiceLine(
            id: try row.id(), text: try row.next(), amount: try row.next(), invoice: try row.next(),
            position: try row.next())
    }
}

struct InvoiceTag: PersistentRecord, Hashable {
    let id: RecordID<InvoiceTag>
    var word: String

    static let invoices = ToMany<InvoiceTag, Invoice>("invoices", to: "Invoice", inverse: "tags")

    static let entity = RecordEntity<InvoiceTag>(
        "InvoiceTag", id: \.id, [.attribute("word", \.word, isUnique: true), .relationship(invoices)]
    ) { row in
        InvoiceTag(id: try row.id(), word: try row.next())
    }
}

enum Invoicing {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Invoice.self, InvoiceLine.self, InvoiceTag.self])
    }
}

struct Invoices {
    let records: any RecordContext

    /// Creates a draft of an invoice with its lines, in the given order.
    func draft(_ reference: String, due: Day, lines: [(text: String, amount: Decimal)]) async throws -> Invoice {
        try await records.transaction { unit in
            let invoice = try unit.insert(Invoice.self) { id in
                Invoice(
                    id: id, reference: reference, year: due.year, due: due,
                    total: lines.reduce(0) { $0 + $1.amount })
            }
            let ids = try lines.map { line in
                try unit.insert(InvoiceLine.self) { id in
                    InvoiceLine(id: id, text: line.text, amount: line.amount, invoice: invoice.id)
                }.id
            }
            try unit.add(ids, to: \.lines, of: Invoice.self, id: invoice.id)
            return invoice
        }
    }

    /// Assigns the next number of its year to a draft; throws `uniqueness` if another writer uses the number first.
    func send(_ id: Invoice.ID) async throws -> Invoice {
        try await records.transaction { unit in
            guard let draft = try unit.find(Invoice.self, id: id) else { throw NoSuchInvoice(id: id) }
            let year = draft.year
            let last = try unit.fetch(
                FetchRequest<Invoice>(
                    where: #Predicate { $0.year == year && $0.number != nil },
                    sort: [SortKey(\.number, order: .reverse)], limit: 1)
            ).first
            return try unit.update(Invoice.self, id: id) { invoice in
                invoice.number = (last?.number ?? 0) + 1
                invoice.status = .sent
            }
        }
    }

    /// Returns the sent invoices that are due before a day, the earliest due day first.
    func overdue(on day: Day) async throws -> [Invoice] {
        let sent = InvoiceStatus.sent
        return try await records.fetch(
            FetchRequest(where: #Predicate { $0.status == sent && $0.due < day }, sort: [SortKey(\.due)]))
    }

    /// Adds a tag to an invoice, and creates the tag if it does not exist.
    func tag(_ id: Invoice.ID, _ word: String) async throws {
        try await records.transaction { unit in
            let known = try unit.fetch(FetchRequest<InvoiceTag>(where: #Predicate { $0.word == word })).first
            let tag = try known ?? unit.insert(InvoiceTag.self) { InvoiceTag(id: $0, word: word) }
            try unit.add(tag.id, to: \.tags, of: Invoice.self, id: id)
        }
    }
}

struct NoSuchInvoice: Error {
    let id: Invoice.ID
}
