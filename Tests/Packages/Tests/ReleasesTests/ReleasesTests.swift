import Foundation
import Release1
import Release2
import Release3
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import Testing

/// Three releases of a service's model, with stores that the first release wrote.
@Suite("Three releases of a service")
struct ReleasesTests {
    private static let stores = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Stores")

    /// The stores of the first release, written with a version of Strata before and after the introduction of
    /// migrations.
    private static let written = ["release-1.sqlite", "before-migrations.sqlite"]

    private static func copy(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent("app.sqlite")
        try FileManager.default.copyItem(at: stores.appendingPathComponent(name), to: copy)
        return copy
    }

    private static func firstModel() throws -> ManagedObjectModel {
        let data = try Data(contentsOf: stores.appendingPathComponent("model-1.json"))
        return try ModelFile(json: Array(data)).model
    }

    @Test("the first release still opens its stores and changes nothing", arguments: written)
    func first(_ name: String) throws {
        let url = try Self.copy(name)
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        #expect(try PersistentContainer.canMigrate(model: try Release1.model(), .sqlite(at: url)).steps.isEmpty)
        #expect(try PersistentContainer.canMigrate(model: try Self.firstModel(), .sqlite(at: url)).steps.isEmpty)
        let container = try PersistentContainer(model: try Release1.model(), .sqlite(at: url), mainQueue: .private)
        #expect(try container.coordinator.store.information().formatVersion == 3)
        let names = try container.backgroundContext.performAndWait {
            try $0.fetch(FetchRequest<Release1.Customer>()).map(\.name)
        }
        #expect(names == ["Ada Lovelace", "Grace Hopper"])
        try container.close()
    }

    @Test("the second release adopts the rows, and the first release gets an error", arguments: written)
    func second(_ name: String) throws {
        let url = try Self.copy(name)
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        let old = try PersistentContainer(model: try Release1.model(), .sqlite(at: url), mainQueue: .private)
        let container = try PersistentContainer(
            model: try Release2.model(), Release2.description(url), mainQueue: .private)
        try container.backgroundContext.performTransactionAndWait { context in
            let customers = try context.fetch(FetchRequest<Release2.Customer>())
            #expect(customers.map(\.email) == ["ada@example.com", "grace@example.com"])
            let orders = try context.fetch(FetchRequest<Release2.Order>())
            #expect(orders.map(\.total) == [0.25, 0.5, 0.75])
            #expect(orders.map(\.isPaid) == [false, false, false])
            _ = try context.insert(Release2.Order.self) {
                Release2.Order(id: $0, number: 4, total: Decimal(1) / 8, customer: customers[0].id, isPaid: true)
            }
        }
        do {
            _ = try old.backgroundContext.performAndWait { try $0.fetch(FetchRequest<Release1.Customer>()).count }
            Issue.record("the first release still reads")
        } catch let error as PersistenceError {
            #expect(error.code == .storeMigrated)
        }
        try old.close()
        try container.close()
    }

    @Test(
        "the third release adopts the rows of both earlier ones, with code for names",
        arguments: written, [false, true])
    func third(_ name: String, _ isDirect: Bool) throws {
        let url = try Self.copy(name)
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        if !isDirect {
            try PersistentContainer(model: try Release2.model(), Release2.description(url), mainQueue: .private).close()
        }
        let container = try PersistentContainer(
            model: try Release3.model(),
            try Release3.description(url, first: try Self.firstModel(), second: try Release2.model()),
            mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            let customers = try context.fetch(FetchRequest<Release3.Customer>())
            #expect(customers.map(\.firstName) == ["Ada", "Grace"])
            #expect(customers.map(\.lastName) == ["Lovelace", "Hopper"])
            let invoices = try context.fetch(FetchRequest<Release3.Invoice>())
            #expect(invoices.map(\.number) == [1, 2, 3])
            #expect(invoices.map(\.customer) == [customers[0].id, customers[1].id, customers[1].id])
        }
        try container.close()
        var faults: [StoreFault] = []
        _ = try PersistentContainer.check(model: try Release3.model(), .sqlite(at: url)) { faults.append($0) }
        #expect(faults.isEmpty)
    }
}
