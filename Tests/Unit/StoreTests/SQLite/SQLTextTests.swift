import Foundation
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// The SQL of requests, and SQLite's query plans.
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
        _ condition: FetchCondition?, sort: [StoreRequest.Sort] = [], limit: Int? = nil, offset: Int = 0
    ) -> StoreRequest {
        StoreRequest("Node", where: condition, sort: sort, limit: limit, offset: offset)
    }

    private static let title = FetchOperand.property("title")
    private static let parent = FetchOperand.property("parent")
    private static let rank = FetchOperand.property("rank")

    static let cases: [Case] = [
        Case("all rows", node(nil), #"ORDER BY "id""#),
        Case(
            "sort keys and window", node(nil, sort: [.init("title", descending: true)], limit: 2, offset: 1),
            #"ORDER BY "title" DESC, "id" LIMIT ? OFFSET ?"#, [.integer(2), .integer(1)]),
        Case(
            "sort keys after the identifier are dropped",
            node(nil, sort: [.init("id", descending: true), .init("title")]),
            #"ORDER BY "id" DESC"#),
        Case("an offset without a limit", node(nil, offset: 3), #"ORDER BY "id" LIMIT -1 OFFSET ?"#, [.integer(3)]),
        Case(
            "equality with an optional column", node(.compare(title, .equal, .constant(.string("a")))),
            #"WHERE "title" = ? ORDER BY "id""#, [.string("a")]),
        Case(
            "equality with a mandatory column", node(.compare(.property("id"), .equal, .constant(.integer(1)))),
            #"WHERE "id" = ? ORDER BY "id""#, [.integer(1)]),
        Case("null", node(.compare(title, .equal, .constant(.null))), #"WHERE "title" IS NULL ORDER BY "id""#),
        Case(
            "a negated comparison with an optional column", node(.not(.compare(title, .less, .constant(.string("a"))))),
            #"WHERE NOT coalesce("title" < ?, 0) ORDER BY "id""#, [.string("a")]),
        Case(
            "a prefix search as a range", node(.startsWith(title, .constant(.string("ab")))),
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

    @Test("a request is translated to the expected SQL", arguments: cases)
    func text(_ example: Case) throws {
        let model = try StoreContract.model()
        let request = try example.request.resolved(in: model)
        var writer = SQLWriter(request.entity, SQLLayout(model: model, dialect: SQLiteDialect()))
        let sql = writer.selection(request)
        let start = #"SELECT "id", "_version", "title", "parent" FROM "Node" "#
        #expect(sql == start + example.sql)
        #expect(writer.values == example.values)
    }

    private static func person(_ condition: FetchCondition) -> StoreRequest { StoreRequest("Person", where: condition) }
    private static let isAnn = FetchCondition.compare(.property("name"), .equal, .constant(.string("Ann")))
    private static let (ann, one) = (StoredValue.string("Ann"), StoredValue.integer(1))

    static let related: [Case] = [
        Case(
            "a reference", person(.related("department", isAnn)),
            #"WHERE "department" IN (SELECT "_1"."id" FROM "Department" AS "_1" WHERE "_1"."name" = ?) ORDER BY "id""#,
            [ann]),
        Case(
            "any reference", person(.related("department", .constant(true))),
            #"WHERE "department" IS NOT NULL ORDER BY "id""#),
        Case(
            "a reference stored in another table", person(.related("passport", .constant(true))),
            #"WHERE EXISTS (SELECT 1 FROM "Passport" AS "_1" WHERE "_1"."holder" = "Person"."id") ORDER BY "id""#),
        Case(
            "join rows", person(.not(.related("followers", isAnn))),
            #"WHERE NOT EXISTS (SELECT 1 FROM "Person_follows" AS "_2" CROSS JOIN "Person" AS "_1" "#
                + #"ON "_1"."id" = "_2"."source" WHERE "_2"."target" = "Person"."id" AND "_1"."name" = ?) ORDER BY "id""#,
            [ann]),
        Case(
            "a count of join rows",
            person(.compare(.relatedCount("follows", .constant(true)), .greater, .constant(one))),
            #"WHERE (SELECT count(*) FROM "Person_follows" AS "_2" WHERE "_2"."source" = "Person"."id") > ? ORDER BY "id""#,
            [one]),
        Case(
            "symmetric join rows", person(.related("friends", .constant(true))),
            #"WHERE EXISTS (SELECT 1 FROM "Person_friends" AS "_2" "#
                + #"WHERE ("_2"."source" = "Person"."id" OR "_2"."target" = "Person"."id")) ORDER BY "id""#),
        Case(
            "a calculation on related rows only",
            person(.related("department", .compare(.negated(.property("id")), .less, .constant(one)))),
            #"WHERE EXISTS (SELECT 1 FROM "Department" AS "_1" WHERE "_1"."id" = "Person"."department" AND CASE "#
                + #"WHEN "_1"."id" = "Person"."department" THEN strata_subtract(0, "_1"."id") < ? ELSE 0 END) ORDER BY "id""#,
            [one]),
        Case(
            "nested relationships", person(.related("department", .related("members", isAnn))),
            #"WHERE "department" IN (SELECT "_1"."id" FROM "Department" AS "_1" WHERE EXISTS (SELECT 1 FROM "Person" AS "_2" "#
                + #"WHERE "_2"."department" = "_1"."id" AND "_2"."name" = ?)) ORDER BY "id""#, [ann]),
    ]

    @Test("a condition across a relationship is translated to the expected SQL", arguments: related)
    func relatedText(_ example: Case) throws {
        let model = try StoreContract.model()
        let request = try example.request.resolved(in: model)
        var writer = SQLWriter(request.entity, SQLLayout(model: model, dialect: SQLiteDialect()))
        let sql = writer.selection(request)
        #expect(sql == #"SELECT "id", "_version", "name", "age", "department" FROM "Person" "# + example.sql)
        #expect(writer.values == example.values)
    }

    /// A request across a relationship, and the expected steps of its plan.
    static let relatedPlans: [(String, StoreRequest, [String])] = [
        (
            "a one-to-many relationship", StoreRequest("Department", where: .related("members", isAnn)),
            ["SEARCH _1 USING INDEX Person_department (department=?)"]
        ),
        (
            "a count of related rows",
            StoreRequest(
                "Department", where: .compare(.relatedCount("members", .constant(true)), .greater, .constant(one))),
            ["SEARCH _1 USING COVERING INDEX Person_department (department=?)"]
        ),
        (
            "a one-to-one relationship", person(.related("passport", .constant(true))),
            ["SEARCH _1 USING COVERING INDEX sqlite_autoindex_Passport_1 (holder=?)"]
        ),
        (
            "join rows by source", person(.related("follows", isAnn)),
            ["SEARCH _2 USING PRIMARY KEY (source=?)", "SEARCH _1 USING INTEGER PRIMARY KEY (rowid=?)"]
        ),
        (
            "join rows by target", person(.related("followers", isAnn)),
            [
                "SEARCH _2 USING COVERING INDEX Person_follows_target (target=?)",
                "SEARCH _1 USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        (
            "symmetric join rows", person(.related("friends", .constant(true))),
            [
                "SEARCH _2 USING PRIMARY KEY (source=?)",
                "SEARCH _2 USING COVERING INDEX Person_friends_target (target=?)",
            ]
        ),
    ]

    @Test("a condition across a relationship looks up related rows and does not scan them", arguments: relatedPlans)
    func relatedPlan(_ name: String, _ request: StoreRequest, _ wanted: [String]) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model())
        let plan = try store.queryPlan(request)
        let steps = plan.split(separator: "\n").map(String.init)
        for step in wanted { #expect(steps.contains(step), "\(plan)") }
        #expect(!steps.contains { $0.hasPrefix("SCAN _") }, "\(plan)")
        try store.close()
    }

    /// A request, and the index that its plan must name.
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
            "a prefix search", StoreRequest("Sample", where: .startsWith(.property("text"), .constant(.string("ab")))),
            "SEARCH Sample USING INDEX Sample_text (text>? AND text<?)"
        ),
        (
            "a sort order", StoreRequest("Sample", sort: [.init("text")]), "SCAN Sample USING INDEX Sample_text"
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

    @Test("a request uses the expected index", arguments: plans)
    func plan(_ name: String, _ request: StoreRequest, _ step: String) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try StoreContract.model())
        let plan = try store.queryPlan(request)
        #expect(plan.split(separator: "\n").contains { $0 == step }, "\(plan)")
        try store.close()
    }
}
