#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataPostgreSQL

/// A store of the build of November 2026, before stores had views and accepted files' keys as identifiers in any order.
@Suite(
    "Stores of an earlier build on a server",
    .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct EarlierStoreTests {
    /// Restores the dump into a new schema.
    private static func restored() throws -> String {
        let schema = "earlier_\(UUID().uuidString.prefix(8).lowercased())"
        let dump = Checkout.root.appendingPathComponent("Tests/Packages/Stores/earlier/earlier.sql")
        let text = try String(contentsOf: dump, encoding: .utf8)
            .replacing(/\bearlier(?=[.;])/) { _ in schema }
        _ = try Server.psql(text)
        return schema
    }

    private static func text(_ key: String, _ schema: String) throws -> String {
        try Server.psql("SELECT value || '|' FROM \(schema).strata_metadata WHERE key = '\(key)'")
    }

    @Test("reading an old store changes nothing; writing upgrades it so that an earlier build cannot read it")
    func upgrade() throws {
        let schema = try Self.restored()
        let provider = Server.provider(schema)
        let metadata = try provider.metadata(options: StoreOptions())
        let model = try #require(metadata.model)
        #expect(metadata.information.formatVersion == 1)
        let description = PersistentStoreDescription.postgreSQL(Server.connection ?? "", schema: schema)
        let (image, file) = (try Self.text("model", schema), try Self.text("model.file", schema))

        let reading = try PersistentContainer(model: model, description.readOnly, mainQueue: .private)
        let teams = try reading.coordinator.store.values("Team")
        #expect(teams.count == 3)
        try reading.close()
        #expect(try Self.text("model", schema) == image)
        #expect(try Server.psql("SELECT count(*) FROM pg_views WHERE schemaname = '\(schema)'") == "0")

        let writing = try PersistentContainer(model: model, description, mainQueue: .private)
        #expect(try writing.coordinator.store.values("Team") == teams)
        try writing.close()
        #expect(try provider.metadata(options: StoreOptions()).information.formatVersion == 2)
        // An earlier build compares the image byte by byte, and rejects a model file of a newer version.
        #expect(try Self.text("model", schema) != image)
        #expect(file.contains(#""strata:version": 1"#))
        #expect(try Self.text("model.file", schema).contains(#""strata:version": 2"#))
        #expect(
            try Server.psql("SELECT id, name FROM \(schema).\"Team_view\" ORDER BY id").split(separator: "\n")
                == ["10|Blue", "20|Gold", "30|Red"])

        // Nothing remains to be changed, and the store is intact.
        let generation = try Self.text("generation", schema)
        try PersistentContainer(model: model, description, mainQueue: .private).close()
        #expect(try Self.text("generation", schema) == generation)
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: model, description) { faults.append($0) }
        #expect(faults.isEmpty, "\(faults)")
    }

    @Test("an open container throws after another container upgraded the store's format")
    func upgradedByAnother() throws {
        let schema = try Self.restored()
        let model = try #require(try Server.provider(schema).metadata(options: StoreOptions()).model)
        let description = PersistentStoreDescription.postgreSQL(Server.connection ?? "", schema: schema)
        let reading = try PersistentContainer(model: model, description.readOnly, mainQueue: .private)
        try PersistentContainer(model: model, description, mainQueue: .private).close()
        let error = #expect(throws: PersistenceError.self) { _ = try reading.coordinator.store.values("Team") }
        #expect(error?.code == .storeMigrated)
        try reading.close()
    }
}

extension PersistentStore {
    /// Returns the rows of an entity by their identifiers.
    fileprivate func values(_ entity: String) throws -> [Int64: [StoredValue]] {
        Dictionary(uniqueKeysWithValues: try rows(StoreRequest(entity)).map { ($0.id, $0.values) })
    }
}
#endif
