#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataSQL
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPostgreSQL

/// The order of indexes, which is the order of requests: nulls are first.
@Suite("Order of indexes on the server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct IndexOrderTests {
    /// Returns a model with indexes of optional and mandatory attributes.
    private static func model(
        titleOfPrice: String? = nil, _ others: AttributeDescription...
    ) throws -> ManagedObjectModel {
        let attributes = [
            AttributeDescription("price", .integer32, isOptional: true, isIndexed: true, title: titleOfPrice),
            AttributeDescription("rank", .integer32, isIndexed: true),
            AttributeDescription("year", .integer32, isOptional: true),
            AttributeDescription("number", .integer32),
        ]
        return try ManagedObjectModel([
            EntityDescription(
                "Item", (attributes + others).map { .attribute($0) }, uniquenessConstraints: [["year", "number"]],
                indexes: [["number", "price"]])
        ])
    }

    /// The indexes of the model, by their names, with the definitions of an earlier version of Strata.
    private static let earlier = [
        "Item_price": #"INDEX "Item_price" ON "Item" (price)"#,
        "Item_rank": #"INDEX "Item_rank" ON "Item" (rank)"#,
        "Item.year.number": #"UNIQUE INDEX "Item.year.number" ON "Item" (year, number)"#,
        "Item.number.price": #"INDEX "Item.number.price" ON "Item" (number, price)"#,
    ]

    private let schema = "order \(UUID().uuidString)"
    private var provider: PostgreSQLStoreProvider { Server.provider(schema) }

    private func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        var settings = PostgreSQLSettings(Server.connection ?? "", schema: schema)
        let connection = try settings.connectFirst()
        defer { connection.close() }
        return try body(connection)
    }

    /// Creates a store with rows of which some have no price.
    private func makeStore() throws {
        let store = try provider.open(try Self.model(), options: StoreOptions())
        var changes = ChangeSet()
        changes["Item"].insertions = (1...5_000).map { (number: Int64) in
            let value = StoredValue.integer(number * 7_919 % 5_003)
            return .init(id: number, values: [number % 5 == 0 ? .null : value, value, .null, .integer(number)])
        }
        _ = try store.save(changes)
        try store.close()
    }

    /// Replaces the indexes by those of an earlier version of Strata, which have nulls last.
    private func replaceByEarlierIndexes() throws {
        try withConnection { connection in
            for (name, definition) in Self.earlier {
                try connection.execute("DROP INDEX \"\(name)\"")
                try connection.execute("CREATE \(definition)")
            }
        }
    }

    /// Returns the names of the indexes in the store's schema that have nulls first in each column.
    private func indexesWithNullsFirst() throws -> Set<String> {
        try withConnection { connection in
            Set(
                try connection.texts(
                    """
                    SELECT i.relname::text FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid \
                    WHERE i.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND 2 = ALL (x.indoption)
                    """, .string(schema)))
        }
    }

    private func faults() throws -> [StoreFault] {
        var faults: [StoreFault] = []
        let description = PersistentStoreDescription(provider)
        _ = try PersistentContainer.check(model: try Self.model(), description) { faults.append($0) }
        return faults
    }

    @Test(
        "an index serves a sorted request with a limit", .enabled(if: Server.isSingle),
        arguments: ["price", "rank"], [false, true])
    func plan(attribute: String, isDescending: Bool) throws {
        try makeStore()
        let model = try Self.model()
        let request = try StoreRequest("Item", sort: [.init(attribute, descending: isDescending)], limit: 10)
            .resolved(in: model)
        var writer = SQLWriter(request.entity, SQLLayout(model: model, dialect: PostgreSQLDialect()))
        let sql = writer.selection(request)
        let plan = try withConnection { connection in
            try connection.execute("ANALYZE \"Item\"")
            let result = try connection.query("EXPLAIN (COSTS OFF) " + sql, writer.values)
            return (0..<result.rowCount).compactMap { result.text(row: $0, column: 0) }
        }
        let steps = plan.map { $0.trimmingCharacters(in: .whitespaces) }
        let scan = "->  Index Scan \(isDescending ? "Backward " : "")using \"Item_\(attribute)\" on \"Item\""
        // The incremental sort sorts only rows with equal values, by their identifiers.
        #expect(steps.contains(scan) && steps.contains("->  Incremental Sort"), "\(plan)")
        #expect(!steps.contains("->  Sort") && !steps.contains { $0.contains("Seq Scan") }, "\(plan)")
    }

    @Test("a check accepts the indexes of a new store and those of an earlier version")
    func check() throws {
        try makeStore()
        #expect(try indexesWithNullsFirst() == Set(Self.earlier.keys))
        #expect(try faults() == [])
        try replaceByEarlierIndexes()
        #expect(try indexesWithNullsFirst() == [])
        #expect(try faults() == [])
    }

    @Test("a migration replaces the indexes of an earlier version, and opening the store does not")
    func migration() throws {
        try makeStore()
        try replaceByEarlierIndexes()
        try provider.open(try Self.model(), options: StoreOptions()).close()
        #expect(try indexesWithNullsFirst() == [])
        // A new label is no migration.
        try provider.open(try Self.model(titleOfPrice: "Price"), options: StoreOptions()).close()
        #expect(try indexesWithNullsFirst() == [])
        let later = try Self.model(AttributeDescription("note", .string, isOptional: true))
        let store = try provider.open(later, options: StoreOptions())
        #expect(try store.count(StoreRequest("Item")) == 5_000)
        try store.close()
        #expect(try indexesWithNullsFirst() == Set(Self.earlier.keys))
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: later, PersistentStoreDescription(provider)) { faults.append($0) }
        #expect(faults == [])
    }

    @Test(
        "a migration keeps an index that a constraint of another program uses", .enabled(if: Server.isSingle))
    func constraint() throws {
        try makeStore()
        try replaceByEarlierIndexes()
        try withConnection {
            try $0.execute(
                "CREATE TABLE other (a bigint, b bigint, FOREIGN KEY (a, b) REFERENCES \"Item\" (year, number))")
        }
        let later = try Self.model(AttributeDescription("note", .string, isOptional: true))
        try provider.open(later, options: StoreOptions()).close()
        #expect(try indexesWithNullsFirst() == Set(Self.earlier.keys).subtracting(["Item.year.number"]))
    }
}
#endif
