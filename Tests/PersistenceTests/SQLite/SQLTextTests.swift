import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// The SQL that a request becomes, and the plan SQLite makes of it.
@Suite("SQL")
struct SQLTextTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let request: StoreRequest
        let sql: String
        let values: [StoredValue]

        init(_ description: String, _ request: StoreRequest, _ sql: String, _ values: [StoredValue] = []) {
            self.description = description
            self.request = request
            self.sql = sql
            self.values = values
        }
    }

    private static func node(
        _ condition: Condition?, sort: [StoreRequest.Sort] = [], limit: Int? = nil, offset: Int = 0
    ) -> StoreRequest {
        StoreRequest("Node", where: condition, sort: sort, limit: limit, offset: offset)
    }

    private static let title = Operand.property("title")
    private static let parent = Operand.property("parent")
    private static let rank = Operand.property("rank")

    static let cases: [Case] = [
        Case("all rows", node(nil), #"ORDER BY "id""#),
        Case(
            "sort keys and window", node(nil, sort: [.init("title", descending: true)], limit: 2, offset: 1),
            #"ORDER BY "title" DESC, "id" LIMIT ? OFFSET ?"#, [.integer(2), .integer(1)]),
        Case(
            "the identifier ends the order", node(nil, sort: [.init("id", descending: true), .init("title")]),
            #"ORDER BY "id" DESC"#),
        Case("an offset alone", node(nil, offset: 3), #"ORDER BY "id" LIMIT ? OFFSET ?"#, [.integer(-1), .integer(3)]),
        Case(
            "equality of what may be null", node(.compare(title, .equal, .constant(.string("a")))),
            #"WHERE "title" IS ? ORDER BY "id""#, [.string("a")]),
        Case(
            "equality of what may not", node(.compare(.property("id"), .equal, .constant(.integer(1)))),
            #"WHERE "id" = ? ORDER BY "id""#, [.integer(1)]),
        Case("null", node(.compare(title, .equal, .constant(.null))), #"WHERE "title" IS NULL ORDER BY "id""#),
        Case(
            "a negation of what may be null", node(.not(.compare(title, .less, .constant(.string("a"))))),
            #"WHERE NOT coalesce("title" < ?, 0) ORDER BY "id""#, [.string("a")]),
        Case(
            "a beginning is a range", node(.startsWith(title, .constant(.string("ab")))),
            #"WHERE ("title" >= ? AND "title" < ?) ORDER BY "id""#, [.string("ab"), .string("ac")]),
        Case(
            "a list", node(.isIn(parent, [.integer(1), .integer(2)])), #"WHERE "parent" IN (?, ?) ORDER BY "id""#,
            [.integer(1), .integer(2)]),
        Case(
            "and, or",
            node(
                .all([.compare(parent, .greater, .constant(.integer(1))), .any([.constant(true), .constant(false)])])),
            #"WHERE (("parent" > ?) AND (((1) OR (0)))) ORDER BY "id""#, [.integer(1)]),
    ]

    @Test("a request becomes this SQL", arguments: cases)
    func text(_ example: Case) throws {
        let model = try StoreContract.model()
        let entity = try example.request.validate(in: model)
        var translator = SQLiteTranslator(entity, SQLiteLayout(model: model))
        let sql = try translator.selection(example.request)
        let start = #"SELECT "id", "_version", "title", "parent" FROM "Node" "#
        #expect(sql == start + example.sql)
        #expect(translator.values == example.values)
    }

    /// A request, and the index its plan must name.
    static let plans: [(String, StoreRequest, String)] = [
        (
            "equality", StoreRequest("Sample", where: .compare(.property("long"), .equal, .constant(.integer(3)))),
            "SEARCH Sample USING INDEX Sample_long (long=?)"
        ),
        (
            "a range",
            StoreRequest(
                "Sample", where: .compare(.property("long"), .greater, .constant(.integer(3))), sort: [.init("long")]),
            "SEARCH Sample USING INDEX Sample_long (long>?)"
        ),
        (
            "a beginning", StoreRequest("Sample", where: .startsWith(.property("text"), .constant(.string("ab")))),
            "SEARCH Sample USING INDEX Sample_text (text>? AND text<?)"
        ),
        (
            "an order", StoreRequest("Sample", sort: [.init("text")]), "SCAN Sample USING INDEX Sample_text"
        ),
        (
            "a unique attribute",
            StoreRequest("Owner", where: .compare(.property("code"), .equal, .constant(.string("a")))),
            "SEARCH Owner USING INDEX sqlite_autoindex_Owner_1 (code=?)"
        ),
        (
            "a reference", StoreRequest("Part", where: .compare(.property("owner"), .equal, .constant(.integer(1)))),
            "SEARCH Part USING INDEX Part_owner (owner=?)"
        ),
        (
            "an identifier", StoreRequest("Part", where: .isIn(.property("id"), [.integer(1), .integer(2)])),
            "SEARCH Part USING INTEGER PRIMARY KEY (rowid=?)"
        ),
        (
            "an index before arithmetic that may fail",
            StoreRequest(
                "Sample",
                where: .all([
                    .compare(.property("long"), .equal, .constant(.integer(3))),
                    .compare(
                        .arithmetic(.property("long"), .add, .constant(.integer(1))), .greater, .constant(.integer(1))),
                ])), "SEARCH Sample USING INDEX Sample_long (long=?)"
        ),
    ]

    @Test("a request uses its index", arguments: plans)
    func plan(_ name: String, _ request: StoreRequest, _ step: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model())
        let plan = try store.queryPlan(request)
        #expect(plan.split(separator: "\n").contains { $0 == step }, "\(plan)")
        try store.close()
    }
}
