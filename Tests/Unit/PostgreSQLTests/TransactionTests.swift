#if PostgreSQL
import StrataCore
import StrataPersistence
import StrataPostgreSQL
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Transactions on the server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct TransactionTests {
    private static func store() throws -> any PersistentStore {
        let number = AttributeDescription("number", .integer64)
        let model = try ManagedObjectModel([EntityDescription("Reading", [.attribute(number)])])
        return try Server.provider().open(model, options: StoreOptions())
    }

    @Test("a transaction that ignores an error throws at its commit, and nothing is stored")
    func swallowed() throws {
        let store = try Self.store()
        var changes = ChangeSet()
        changes["Reading"].insertions = [.init(id: 1, values: [.integer(0)])]
        let isLarge = FetchCondition.compare(
            .arithmetic(.constant(.integer(10)), .divideWhole, .property("number")), .greater, .constant(.integer(1)))
        let error = #expect(throws: PersistenceError.self) {
            try store.transaction { transaction in
                _ = try transaction.save(changes)
                do { _ = try transaction.count(StoreRequest("Reading", where: isLarge)) } catch {}
                return .commit
            }
        }
        #expect(error?.code == .database)
        #expect(try store.count(StoreRequest("Reading")) == 0)
        try store.close()
    }

    @Test(
        "the error for an invalid connection string does not contain any part of the string",
        arguments: [
            "postgresql://bob:50%off@h/db", "host=h password=my secret", "postgresql://bob:s3cr/et@h/db", "secret",
        ])
    func secrets(_ connection: String) throws {
        let provider = PostgreSQLStoreProvider(PostgreSQLSettings(connection))
        let model = try ManagedObjectModel([])
        let error = #expect(throws: PersistenceError.self) { _ = try provider.open(model, options: StoreOptions()) }
        let text = "\(error as Any) \(error?.path ?? "")"
        for secret in ["50", "secret", "s3cr", "off", "et@"] { #expect(!text.contains(secret), "\(text)") }
        #expect(error?.code == .invalidRequest)
    }

    @Test("a schema name is used verbatim, or rejected if the name is too long")
    func schemas() throws {
        let model = try ManagedObjectModel([])
        for schema in ["x\"\u{301}y", "a'b\"\"; --", "ä"] {
            let provider = Server.provider(schema)
            try provider.open(model, options: StoreOptions()).close()
            try provider.open(model, options: StoreOptions()).close()
            try provider.destroy(onlyIfEmpty: false, options: StoreOptions())
        }
        let long = Server.provider(String(repeating: "x", count: 64))
        let error = #expect(throws: PersistenceError.self) { _ = try long.open(model, options: StoreOptions()) }
        #expect(error?.code == .invalidRequest)
    }
}
#endif
