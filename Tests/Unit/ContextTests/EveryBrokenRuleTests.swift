import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A user corrects a form once: an error lists every broken rule of every attribute.
@Suite("Errors that list every broken rule")
struct EveryBrokenRuleTests {
    private struct Ticket: PersistentRecord {
        let id: PlayerID
        var code: String
        var price: Int = 5

        static let entity = RecordEntity<Ticket>(
            "Ticket", id: \.id,
            [
                .attribute(
                    "code", \.code,
                    rules: [.minimumLength(3), .maximumLength(5), .pattern("[A-Z]+"), .pattern(".[a-z]*.")]),
                .attribute(
                    "price", \.price, rules: [.minimum(.integer(1)), .minimum(.integer(2)), .maximum(.integer(9))]),
            ]
        ) { row in
            Ticket(id: try row.id(), code: try row.next(), price: try row.next())
        }
    }

    private static let rules: [ValidationFailure.Rule] = [
        .maximumLength(5), .pattern("[A-Z]+"), .pattern(".[a-z]*."), .minimum(.integer(1)), .minimum(.integer(2)),
    ]

    private static func expectEveryRule(
        _ error: PersistenceError?, id: Int64 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == .validation, sourceLocation: sourceLocation)
        #expect(error?.failures.map(\.rule) == rules, sourceLocation: sourceLocation)
        #expect(
            error?.failures.map(\.attribute) == ["code", "code", "code", "price", "price"],
            sourceLocation: sourceLocation)
        #expect(error?.failures.allSatisfy { $0.id == id } == true, sourceLocation: sourceLocation)
    }

    @Test("a save's error lists every broken rule of every attribute", arguments: StoreKind.allCases)
    func save(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Ticket.self]))
        try stack.background.performAndWait { context in
            let ticket = try context.insert(Ticket.self) { Ticket(id: $0, code: "aB-cdef", price: 0) }
            let error = try persistenceError { try context.save() }
            Self.expectEveryRule(error)
            #expect(
                "\(error)" == """
                    5 rules of the model are broken:
                      Ticket 1, code: is longer than 5
                      Ticket 1, code: does not match [A-Z]+
                      Ticket 1, code: does not match .[a-z]*.
                      Ticket 1, price: is less than 1
                      Ticket 1, price: is less than 2
                    """)
            ticket.code = "AbcD"
            ticket.price = 1
            #expect(
                try persistenceError { try context.save() }.failures.map(\.rule)
                    == [.pattern("[A-Z]+"), .minimum(.integer(2))])
        }
    }

    @Test("a bulk insert's error lists every rule that its row breaks", arguments: StoreKind.allCases)
    func bulk(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Ticket.self]))
        Self.expectEveryRule(
            try persistenceError {
                try stack.container.batchInsert(into: "Ticket") { rows in
                    try rows.insert(
                        id: 1, values: [.string("aB-cdef"), .integer(0)], location: RowLocation(line: 1, record: 1))
                }
            })
    }

    @Test("a batch update's error lists every rule that the new values break", arguments: StoreKind.allCases)
    func batchUpdate(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Ticket.self]))
        var changes = ChangeSet()
        changes["Ticket"].insertions = [.init(id: 1, values: [.string("AAA"), .integer(5)], version: 1)]
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        Self.expectEveryRule(
            try persistenceError {
                _ = try stack.container.batchUpdate(
                    Ticket.self, [.set(\.code, to: "aB-cdef"), .set(\.price, to: 0)])
            })
    }

    @Test("a value of the wrong type is reported as a broken type rule only", arguments: StoreKind.allCases)
    func type(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Ticket.self]))
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Ticket") { rows in
                try rows.insert(
                    id: 1, values: [.null, .string("dear")], location: RowLocation(line: 1, record: 1))
            }
        }
        #expect(error.failures.map(\.rule) == [.mandatory, .type(.integer64)])
    }
}
