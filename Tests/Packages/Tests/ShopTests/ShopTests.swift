import Foundation
import Shop
import StrataFixtures
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataTesting
import Testing

/// Returns the total of all orders of the customer with a key; `nil` if there is no such customer.
private func total(
    of key: String, _ customers: any CustomersRepository, _ orders: any OrdersRepository
) async throws -> Decimal? {
    guard let customer = try await customers.find(key: key) else { return nil }
    return try await orders.fetch(customer: customer.id).reduce(0) { $0 + $1.total }
}

@Suite("Code that is generated from three CSV files")
struct ShopTests {
    private let ada = Customers(id: 1, key: "C-1", name: "Ada", joined: Day(clampingYear: 2024, month: 1, day: 5))

    @Test("code that uses repositories is tested with doubles")
    func doubles() async throws {
        var customers = CustomersRepositoryDouble()
        customers.findByKey = { [ada] key in key == "C-1" ? ada : nil }
        var orders = OrdersRepositoryDouble()
        orders.fetchByCustomer = { customer in
            [2, 3].map { Orders(id: 1, customer: customer, total: $0, express: false, status: "open") }
        }
        #expect(try await total(of: "C-1", customers, orders) == 5)
        #expect(try await total(of: "C-9", customers, orders) == nil)
    }

    @Test("a double reports the method whose closure is not set")
    func unexpectedCall() async throws {
        do {
            _ = try await CustomersRepositoryDouble().find(key: "C-1")
            Issue.record("the call did not throw an error")
        } catch let error as UnexpectedCall {
            #expect("\(error)" == "CustomersRepositoryDouble.find(key:) was called, but its closure is not set")
        }
    }

    @Test("a stored repository saves, finds by key and reference, changes and deletes")
    func store() async throws {
        let context = try PersistentContainer(model: AppModel.model(), .inMemory).backgroundContext
        let (customers, orders) = (StoredCustomersRepository(context), StoredOrdersRepository(context))
        let ada = try await customers.create(key: "C-1", name: "Ada", joined: ada.joined)
        let bob = try await customers.create(key: "C-2", name: "Bob", eMail: "bob@example.com", joined: ada.joined)
        for (customer, total) in [(ada, 12.5), (bob, 3), (ada, 7.25)] as [(Customers, Decimal)] {
            try await orders.create(customer: customer.id, total: total, express: true, status: "open")
        }
        #expect(try await total(of: "C-1", customers, orders) == Decimal(19.75))
        #expect(try await customers.find(key: "C-2") == bob)
        let changed = try await customers.update(bob.id) { $0.eMail = nil }
        #expect(try await customers.find(bob.id) == changed && changed.eMail == nil)
        #expect(try await customers.fetch().count == 2)
        await #expect(throws: PersistenceError.self) {
            try await customers.create(key: "C-1", name: "Eve", joined: ada.joined)
        }
        await #expect(throws: PersistenceError.self) { try await customers.delete(ada.id) }
        let first = try #require(try await orders.fetch(customer: bob.id).first)
        #expect(try await orders.delete(first.id))
        #expect(try await customers.delete(bob.id))
        #expect(try await !customers.delete(bob.id))
    }

    @Test("generated records form a valid store")
    func fixtures() async throws {
        let fixtures = try AppModel.fixtures(counts: ["Customers": 20, "Orders": 50, "Lines": 100], seed: 7)
        let customers: [Customers] = try fixtures.records()
        let orders: [Orders] = try fixtures.records()
        let lines: [Lines] = try fixtures.records()
        let records = try InMemoryRecords(AppModel.model(), customers + orders + lines)
        #expect(try await records.count(FetchRequest<Lines>()) == 100)
        #expect(try AppModel.fixtures(counts: ["Customers": 20], seed: 7).records() == customers)
    }

    /// Returns the model that is inferred from the files.
    private func inferred() throws -> ManagedObjectModel {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Models/shop.model.json")
        return try ModelFile(json: Array(Data(contentsOf: file))).model
    }

    @Test("the model of the generated types equals the inferred model")
    func model() throws {
        #expect(ModelFile.text(of: try AppModel.model()) == ModelFile.text(of: try inferred()))
        #expect(AppModel.digest == (try inferred().versionHash()))
    }

    @Test("the generated types open a store into which the files were imported with the inferred model")
    func imported() async throws {
        let folder = URL.temporaryDirectory.appending(path: "strata-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let description = PersistentStoreDescription.sqlite(at: folder.appending(path: "shop.sqlite"))
        let container = try PersistentContainer(model: inferred(), description)
        let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Fixtures/orders")
        for (entity, name) in [("Customers", "customers"), ("Orders", "orders"), ("Lines", "lines")] {
            let input = try ByteInput(path: data.appending(path: "\(name).csv").path(percentEncoded: false))
            let importer = try DatasetImporter(
                entity: entity, container: container, options: ImportOptions(format: .csv))
            _ = try importer.run(input)
        }
        try container.close()

        let opened = try PersistentContainer(model: AppModel.model(), description)
        let (customers, orders) = (
            StoredCustomersRepository(opened.backgroundContext), StoredOrdersRepository(opened.backgroundContext)
        )
        #expect(try await total(of: "C-1", customers, orders) == Decimal(15.5))
        try opened.close()
    }
}
