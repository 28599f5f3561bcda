import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// The indexes that the stores create for uniqueness constraints and lists of attributes, and the requests that use
/// them.
@Suite("Indexes over several attributes")
struct KeyIndexTests {
    private static func equals(_ name: String, _ value: StoredValue) -> FetchCondition {
        .compare(.property(name), .equal, .constant(value))
    }

    @Test("the schema has one index for each constraint and index of the model, and constraints are unique")
    func schema() throws {
        let layout = SQLLayout(model: try Theatre.model(), dialect: SQLiteDialect())
        let indexes = layout.schema().filter { $0.contains("INDEX") }
        #expect(
            indexes == [
                #"CREATE INDEX "Ticket_show" ON "Ticket" ("show")"#,
                #"CREATE UNIQUE INDEX "Ticket.year.number" ON "Ticket" ("year", "number")"#,
                #"CREATE UNIQUE INDEX "Ticket.show.seat" ON "Ticket" ("show", "seat")"#,
                #"CREATE INDEX "Ticket.note.price" ON "Ticket" ("note", "price")"#,
            ])
    }

    @Test("indexes of tables and columns with similar names have different names")
    func names() throws {
        func number(_ name: String) -> EntityDescription.Property {
            .attribute(.init(name, .integer64, isOptional: true))
        }
        let model = try ManagedObjectModel([
            EntityDescription(
                "A", ["b", "c", "b_c", "b_c_d", "d"].map(number), uniquenessConstraints: [["b", "c"], ["b_c", "d"]],
                indexes: [["b", "c"], ["c", "b"], ["b", "c", "d"]]),
            EntityDescription("A_b", ["c", "d"].map(number), indexes: [["c", "d"]]),
            EntityDescription("A_b_c", [number("d")]),
        ])
        let names = model.tables.flatMap { [$0.name] + $0.indexes.map(\.name) }
        #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
        #expect(names.contains("A.c.b") && names.count { $0 == "A.b.c" } == 1)
        let folder = try TemporaryFolder()
        try SQLiteStore.open(at: folder.file("store.sqlite"), model: model).close()
    }

    @Test(
        "a writer that implements no key lookup finds a row by its unique key through a request",
        arguments: StoreKind.allCases)
    func requested(_ kind: StoreKind) throws {
        let columns = ["row", "number"].map {
            EntityDescription.Property.attribute(AttributeDescription($0, .integer64, isOptional: true))
        }
        let folder = try TemporaryFolder()
        let store = try kind.open(
            try ManagedObjectModel([
                EntityDescription("Seat", columns, uniquenessConstraints: [["row", "number"]])
            ]), in: folder)
        let seat = try store.model.entity(named: "Seat")
        let key = try #require(seat.uniqueKeys.first)
        try store.writeRows { writer in
            let plain = PlainWriter(writer)
            let place = RowLocation(line: 1, record: 1)
            let seats = try plain.inserter(of: "Seat", InsertOptions())
            try seats.insert(id: 5, values: [.integer(1), .integer(2)], location: place)
            try seats.insert(id: 6, values: [.integer(1), .integer(3)], location: place)
            for (number, id) in [(2, 5), (3, 6), (4, nil)] as [(Int64, Int64?)] {
                let value = try #require(key.value(of: [.integer(1), .integer(number)]))
                #expect(try plain.identifier(of: seat, by: key, value) == id)
                #expect(try writer.identifier(of: seat, by: key, value) == id)
            }
            #expect(try plain.row(6, of: seat)?.values == [.integer(1), .integer(3)])
            #expect(try plain.row(7, of: seat) == nil)
        }
        try store.close()
    }

    static let plans: [(FetchCondition, String)] = [
        (
            equals("year", .integer(2026)) && equals("number", .integer(1)),
            "SEARCH Ticket USING INDEX Ticket.year.number (year=? AND number=?)"
        ),
        (
            equals("note", .string("a")) && equals("price", .integer(1)),
            "SEARCH Ticket USING INDEX Ticket.note.price (note=? AND price=?)"
        ),
        (
            equals("price", .integer(1)) && equals("note", .string("a")),
            "SEARCH Ticket USING INDEX Ticket.note.price (note=? AND price=?)"
        ),
        (equals("note", .string("a")), "SEARCH Ticket USING INDEX Ticket.note.price (note=?)"),
        (
            equals("note", .string("a")) && .compare(.property("price"), .greater, .constant(.integer(1))),
            "SEARCH Ticket USING INDEX Ticket.note.price (note=? AND price>?)"
        ),
        (
            equals("show", .integer(1)) && equals("seat", .string("A1")),
            "SEARCH Ticket USING INDEX Ticket.show.seat (show=? AND seat=?)"
        ),
    ]

    @Test("SQLite uses the index over several attributes to filter rows", arguments: plans)
    func plan(_ condition: FetchCondition, _ step: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Theatre.model())
        let plan = try store.queryPlan(StoreRequest("Ticket", where: condition))
        #expect(plan.split(separator: "\n").contains { $0 == step }, "\(plan)")
        try store.close()
    }

    @Test("SQLite uses the index over several attributes to sort rows")
    func sorted() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Theatre.model())
        let request = StoreRequest("Ticket", sort: [.init("note"), .init("price")])
        #expect(try store.queryPlan(request) == "SCAN Ticket USING INDEX Ticket.note.price")
        try store.close()
    }

    @Test("a bulk insert creates unique indexes before it writes rows, and other indexes afterwards")
    func bulk() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Theatre.model())
        var options = InsertOptions()
        options.buildsIndexesLast = true
        try store.writeRows { writer in
            let inserter = try writer.inserter(of: "Ticket", options)
            let connection = try #require((writer as? SQLRowWriter)?.connection as? SQLiteConnection)
            let names = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Ticket' ORDER BY name"
            #expect(try connection.texts(names) == ["Ticket.show.seat", "Ticket.year.number"])
            _ = try inserter.insert(
                id: nil, values: Theatre.values(2026, 1), location: RowLocation(line: 1, record: 1))
            try writer.read { _ in }
            #expect(
                try connection.texts(names)
                    == ["Ticket.note.price", "Ticket.show.seat", "Ticket.year.number", "Ticket_show"])
        }
        try store.close()
    }

    // MARK: In memory

    /// 20,000 tickets: 200 years with 100 numbers each, ten with the same note and price.
    private static let store = Result { () throws -> InMemoryStore in
        let store = InMemoryStore(model: try Theatre.model())
        try store.insertRows(of: "Ticket") { rows in
            for number in 0..<20_000 {
                let values = Theatre.values(
                    Int64(number / 100), Int64(number % 100), note: "note \(number % 50)",
                    price: Int64(number / 50 % 40))
                _ = try rows.insert(
                    id: nil, values: values, location: RowLocation(line: number + 1, record: number + 1))
            }
        }
        return store
    }

    static let conditions: [(FetchCondition, found: Int, examined: Int)] = [
        (equals("year", .integer(7)) && equals("number", .integer(8)), 1, 1),
        (equals("number", .integer(8)) && equals("year", .integer(7)), 1, 1),
        (equals("year", .integer(7)) && equals("number", .integer(800)), 0, 0),
        (equals("note", .string("note 3")) && equals("price", .integer(4)), 10, 10),
        (equals("price", .integer(4)) && equals("year", .integer(7)) && equals("note", .string("note 3")), 0, 10),
        (
            .any([
                equals("year", .integer(7)) && equals("number", .integer(8)),
                equals("note", .string("note 3")) && equals("price", .integer(4)),
                equals("year", .integer(9)) && equals("number", .integer(8)),
            ]), 12, 12
        ),
        (equals("year", .integer(7)) || equals("number", .integer(8)), 299, 20_000),
        (equals("year", .integer(7)), 100, 20_000),
        (equals("year", .integer(7)) && equals("number", .null), 0, 20_000),
    ]

    @Test(
        "the in-memory store examines only the rows that an index over several attributes selects",
        arguments: conditions)
    func examined(_ condition: FetchCondition, _ found: Int, _ examined: Int) throws {
        let store = try Self.store.get().copy()
        let before = try store.examinedRowCount
        #expect(try store.rows(StoreRequest("Ticket", where: condition)).count == found)
        #expect(try store.examinedRowCount - before == examined)
    }

    @Test("a condition that may fail is evaluated before a later condition that could use an index")
    func fallible() throws {
        let store = try Self.store.get().copy()
        let quotient = FetchOperand.arithmetic(.constant(.integer(9)), .divideWhole, .property("number"))
        let fallible = FetchCondition.compare(quotient, .equal, .constant(.integer(3)))
        let ticket = [Self.equals("year", .integer(7)), Self.equals("number", .integer(3))]
        #expect(try store.rows(StoreRequest("Ticket", where: .all(ticket + [fallible]))).count == 1)
        let error = try persistenceError {
            _ = try store.rows(StoreRequest("Ticket", where: .all([fallible] + ticket)))
        }
        #expect(error.code == .arithmetic)
    }

    @Test("an in-memory index over several attributes may contain a Boolean attribute")
    func truth() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Door", [.attribute(.init("isOpen", .boolean)), .attribute(.init("floor", .integer64))],
                indexes: [["floor", "isOpen"]])
        ])
        let store = InMemoryStore(model: model)
        _ = try store.insertRows(of: "Door") { rows in
            for number in 0..<1_000 {
                _ = try rows.insert(
                    id: nil, values: [.boolean(number % 20 == 0), .integer(Int64(number % 50))],
                    location: RowLocation(line: number + 1, record: number + 1))
            }
        }
        let before = try store.examinedRowCount
        let condition = FetchCondition.isTrue(.property("isOpen")) && Self.equals("floor", .integer(40))
        #expect(try store.rows(StoreRequest("Door", where: condition)).count == 10)
        #expect(try store.examinedRowCount - before == 10)
    }

    @Test("updates and deletions of rows update the index over several attributes", arguments: StoreKind.allCases)
    func followed(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Theatre.model())
        try stack.container.batchInsert(into: "Ticket") { rows in
            for number in 1...40 {
                try rows.insert(
                    values: Theatre.values(2026, Int64(number), note: "a"),
                    location: RowLocation(line: number, record: number))
            }
        }
        let condition = Self.equals("note", .string("a")) && Self.equals("price", .integer(5))
        let store = stack.container.coordinator.store
        func ids() throws -> [Int64] { try store.rows(StoreRequest("Ticket", where: condition)).map(\.id) }
        #expect(try ids() == [])
        try stack.container.newBackgroundContext().performAndWait { context in
            let tickets = try context.fetch(FetchRequest<Ticket>())
            (tickets[0].price, tickets[1].price, tickets[2].price) = (5, 5, 5)
            try context.save()
        }
        #expect(try ids() == [1, 2, 3])
        try stack.container.newBackgroundContext().performAndWait { context in
            let tickets = try context.fetch(FetchRequest<Ticket>())
            tickets[1].note = "b"
            context.delete(tickets[2])
            try context.save()
        }
        #expect(try ids() == [1])
    }
}

/// A writer that implements no lookup by a unique key.
private final class PlainWriter: RowWriter {
    private let base: any RowWriter

    init(_ base: any RowWriter) { self.base = base }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        try base.inserter(of: entity, options)
    }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try base.insert(row, of: join, location: location)
    }

    func checkReferences() throws { try base.checkReferences() }

    func read(_ body: (any StoreReader) throws -> Void) throws { try base.read(body) }

    func setMetadata(_ value: String?, forKey key: String) throws { try base.setMetadata(value, forKey: key) }
}
