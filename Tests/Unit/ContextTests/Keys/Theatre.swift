import PersistenceTestSupport
import StrataPersistence

/// A model whose tickets have two unique keys: year and number, and show and seat.
enum Theatre {
    static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: [Show.self, Ticket.self]) }

    /// Returns all values of a ticket, in the order of its columns.
    static func values(
        _ year: Int64?, _ number: Int64?, note: String = "", price: Int64 = 0, show: Int64? = nil, seat: String? = nil
    ) -> [StoredValue] {
        [
            year.map(StoredValue.integer) ?? .null, number.map(StoredValue.integer) ?? .null, .string(note),
            .integer(price), show.map(StoredValue.integer) ?? .null, seat.map(StoredValue.string) ?? .null,
        ]
    }
}

struct Show: PersistentRecord, Hashable {
    let id: RecordID<Show>
    var title: String

    static let entity = RecordEntity<Show>(
        "Show", id: \.id, [.attribute("title", \.title), .toMany("tickets", to: "Ticket", inverse: "show")]
    ) { Show(id: try $0.id(), title: try $0.next()) }
}

struct Ticket: PersistentRecord, Hashable {
    let id: RecordID<Ticket>
    var year: Int?
    var number: Int?
    var note = ""
    var price = 0
    var show: Show.ID?
    var seat: String?

    static let entity = RecordEntity<Ticket>(
        "Ticket", id: \.id,
        [
            .attribute("year", \.year), .attribute("number", \.number), .attribute("note", \.note),
            .attribute("price", \.price, default: .constant(.integer(0))),
            .toOne("show", \.show, to: "Show", inverse: "tickets"), .attribute("seat", \.seat),
        ], uniquenessConstraints: [["year", "number"], ["show", "seat"]], indexes: [["note", "price"]]
    ) { row in
        Ticket(
            id: try row.id(), year: try row.next(), number: try row.next(), note: try row.next(),
            price: try row.next(), show: try row.next(), seat: try row.next())
    }
}

extension TestStack {
    /// Saves a ticket in a context of its own, which is then released.
    @discardableResult
    func ticket(_ year: Int?, _ number: Int?, note: String = "", show: Show.ID? = nil, seat: String? = nil) throws
        -> Ticket
    {
        try container.newBackgroundContext(name: "setup").performAndWait { context in
            let ticket = try context.insert(Ticket.self) {
                Ticket(id: $0, year: year, number: number, note: note, show: show, seat: seat)
            }
            try context.save()
            return ticket.record
        }
    }
}
