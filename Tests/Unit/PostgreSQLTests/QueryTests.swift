#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataPostgreSQL
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Queries by SQL on the server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct QueryTests {
    private func store() throws -> any SQLQueryable {
        let sale = EntityDescription(
            "Sale",
            [
                .attribute(AttributeDescription("amount", .decimal(scale: 2), isOptional: true)),
                .attribute(AttributeDescription("who", .string)),
                .attribute(AttributeDescription("isPaid", .boolean)),
            ], external: ExternalForm(name: "Sales \"2026\""))
        let store = try Server.provider().open(ManagedObjectModel([sale]), options: StoreOptions())
        let amounts: [ScaledDecimal?] = [
            ScaledDecimal(unscaled: 1_050, scale: 2), ScaledDecimal(unscaled: 125, scale: 2),
            ScaledDecimal(unscaled: 700, scale: 2), nil,
        ]
        var changes = ChangeSet()
        changes["Sale"].insertions = zip(amounts, ["Ann", "Bo", "Ann", "Cy"]).enumerated().map { index, sale in
            .init(
                id: Int64(index + 1),
                values: [sale.0.map(StoredValue.decimal) ?? .null, .string(sale.1), .boolean(index == 0)])
        }
        #expect(try store.save(changes).isEmpty)
        return try #require(store as? any SQLQueryable)
    }

    private func rows(
        _ sql: String, _ parameters: [String: StoredValue] = [:], in store: any SQLQueryable
    ) throws -> [[StoredValue]] {
        var rows: [[StoredValue]] = []
        let append = { (row: [StoredValue]) in
            rows.append(row)
            return FetchFlow.next
        }
        try store.run(SQLQuery(sql, parameters: parameters), begin: { _ in }, append)
        return rows
    }

    @Test("the names of the entity and of its file are views with the values of the file")
    func names() throws {
        let store = try store()
        defer { #expect(throws: Never.self) { try store.close() } }
        for name in ["\"Sales \"\"2026\"\"\"", "\"sales \"\"2026\"\"\"", "sale", "Sale", "\"Sale\""] {
            #expect(
                try rows("SELECT id, amount, who, \"isPaid\" FROM \(name) ORDER BY 1 LIMIT 1", in: store)
                    == [[.integer(1), .string("10.50"), .string("Ann"), .boolean(true)]], "\(name)")
        }
        var columns: [String] = []
        let fail = { (_: [StoredValue]) in
            Issue.record("there is no row")
            return FetchFlow.next
        }
        try store.run(SQLQuery("SELECT who, 1 AS \"n N\" FROM sale WHERE false"), begin: { columns = $0 }, fail)
        #expect(columns == ["who", "n N"])
        // A second query on the same connections creates the names again.
        #expect(try rows("SELECT count(*) FROM sale", in: store) == [[.integer(4)]])
        let values = try rows("SELECT 1.5::float8, 2::int2, '\\x00ff'::bytea, 1.10::numeric, null", in: store)
        let tenths = StoredValue.decimal(ScaledDecimal(unscaled: 110, scale: 2))
        #expect(values == [[.double(1.5), .integer(2), .binary(Data([0, 255])), tenths, .null]])
        #expect(try rows("SELECT * FROM generate_series(1, 1200)", in: store).count == 1_200)
    }

    @Test("decimal_sum and decimal_avg are exact, and null without values")
    func decimals() throws {
        let store = try store()
        defer { #expect(throws: Never.self) { try store.close() } }
        #expect(
            try rows(
                "SELECT who, decimal_sum(amount), decimal_avg(amount) FROM sale GROUP BY who ORDER BY 1", in: store)
                == [
                    [.string("Ann"), .string("17.50"), .string("8.75000000")],
                    [.string("Bo"), .string("1.25"), .string("1.25000000")], [.string("Cy"), .null, .null],
                ])
        #expect(
            try rows("SELECT decimal_sum(x), decimal_avg(-x) FROM (VALUES (1), (1), (0)) AS v(x)", in: store)
                == [[.string("2"), .string("-0.666667")]])
        // The names of the functions belong to the session.
        #expect(
            try rows("SELECT DECIMAL_SUM(x) AS decimal_sum, 'decimal_sum(x)' FROM (VALUES ('1.5')) AS v(x)", in: store)
                == [[.string("1.5"), .string("decimal_sum(x)")]])
        #expect(throws: PersistenceError.self) { try rows("SELECT decimal_sum(who) FROM sale", in: store) }
    }

    @Test("a parameter is a colon with a name outside strings, names, comments and casts")
    func parameters() throws {
        let store = try store()
        defer { #expect(throws: Never.self) { try store.close() } }
        let text = """
            SELECT ':a', E'\\':a', $$:a$$, $x$:a$$$x$, 1::text AS ":a", :a::text, :b + :b -- :c
            /* :d /* ' */ :e */ FROM sale WHERE who = :a ORDER BY id LIMIT 1
            """
        #expect(
            try rows(text, ["a": .string("Ann"), "b": .integer(2)], in: store)
                == [[":a", "':a", ":a", ":a$$", "1", "Ann"].map(StoredValue.string) + [.integer(4)]])
        for parameters in [["a": StoredValue.string("Ann")], ["a": .null, "b": .null, "c": .null]] {
            #expect { try rows(text, parameters, in: store) } throws: {
                ($0 as? PersistenceError)?.code == .invalidRequest
            }
        }
    }

    @Test(
        "a text that does more than to read is rejected, and changes nothing",
        arguments: [
            "DELETE FROM \"Sale\"", "WITH d AS (DELETE FROM strata_metadata RETURNING 1) SELECT * FROM d",
            "SELECT 1; DELETE FROM sale", "COMMIT", "SET search_path TO public", "DROP TABLE \"Sale\"", "",
            "SELECT unknown FROM sale", "SELECT 1 FROM nothing", "SELECT 'a", "SELECT * FROM sale FOR UPDATE",
            "/* nothing",
            "SELECT $1", "SELECT '\0'", "COPY \"Sale\" TO '/tmp/sale'", "SELECT 1 INTO other",
        ])
    func rejected(_ sql: String) throws {
        let store = try store()
        defer { #expect(throws: Never.self) { try store.close() } }
        #expect { try rows(sql, in: store) } throws: { error in
            (error as? PersistenceError)?.code == .invalidRequest
        }
        #expect(try rows("SELECT count(*) FROM sale", in: store) == [[.integer(4)]])
    }

    @Test("a function that changes data fails, and a cancelled query ends")
    func functions() throws {
        let store = try store()
        defer { #expect(throws: Never.self) { try store.close() } }
        let change = "SELECT query_to_xml('DELETE FROM strata_metadata RETURNING 1', true, true, '')"
        #expect(throws: PersistenceError.self) { try rows(change, in: store) }
        let endless = SQLQuery("SELECT count(*) FROM generate_series(1, 100000000000)", isCancelled: { true })
        #expect(throws: CancellationError.self) { try store.run(endless, begin: { _ in }, { _ in .next }) }
        #expect(try rows("SELECT count(*) FROM sale", in: store) == [[.integer(4)]])
    }
}
#endif
