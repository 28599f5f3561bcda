import Foundation
import StrataModelFiles
import StrataPersistence
import StrataTestSupport
import Testing

// The example of the documentation of dynamic records, and a test of its output.

func copy<Record: ManagedRecord>(
    _ entity: RecordEntity<Record>, from source: any RecordContext, to destination: any RecordContext
) async throws {
    let records = try await source.fetch(FetchRequest(entity))
    try await destination.transaction { unit in
        for record in records { try unit.insert(record) }
    }
}

func handles(_ employees: DynamicEntity, _ model: ManagedObjectModel) throws {
    let salary = try employees.attribute("salary", as: Int.self)
    let nickname = try employees.attribute("nickname", as: String?.self)
    let rich = try FetchRequest(
        employees, where: "salary >= 50000 and boss.lastName = 'Ito'", sort: "dateHired desc, lower(lastName)",
        limit: 10)
    print(salary.name, nickname.name, rich.sort.count)
    let orders = try model.dynamicEntity("Orders")
    let customer = try orders.reference("customer", as: DynamicRecord.ID.self)
    print(customer.name)
}

func insertions(_ context: any RecordContext, _ model: ManagedObjectModel, _ id: DynamicRecord.ID) async throws {
    let customers = try model.dynamicEntity("Customers")
    let name = try customers.attribute("fullName", as: String.self)

    let ada = try await context.insert(into: customers) { id in
        try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace")])
    }
    print(ada[name], try ada.value("eMail"))
    do {
        let ada = try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace"), .set("eMail", to: nil)])
        print(ada)
    }
    do {
        let ada = try DynamicRecord(customers, id: id, ["fullName": "Ada Lace", "eMail": nil])
        print(ada)
    }
}

func decoding(_ data: Data, _ orders: DynamicEntity, _ container: PersistentContainer) throws {
    let order = try JSONDecoder().decode(DynamicRecord.self, from: data, configuration: orders)
    let (papers, drafts) = (orders, [order])
    try container.batchInsert(papers, records: drafts)
}

func objects(_ context: ConfinedContext, _ shelves: DynamicEntity, _ shelf: Managed<DynamicRecord>) throws {
    let papers = try shelves.toMany("papers")
    let found = try context.objects(of: shelf, through: papers)
    print(found.count)
}

@Suite("The page about dynamic records")
struct DynamicRecordExamples {
    @Test("the example of the page prints the documented output for the model of Fixtures/shop")
    func page() async throws {
        let folder = Checkout.root
        let text = try String(contentsOf: folder.appending(path: "Fixtures/shop/datapackage.json"), encoding: .utf8)
        let url = FileManager.default.temporaryDirectory.appending(path: "strata-page-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }

        let model = try ModelFile(json: Array(text.utf8)).model
        let container = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        let records: any RecordContext = container.backgroundContext

        let customers = try model.dynamicEntity("Customers")
        let orders = try model.dynamicEntity("Orders")
        let name = try customers.attribute("fullName", as: String.self)
        let mail = try customers.attribute("eMail", as: String?.self)
        let total = try orders.attribute("totalEUR", as: Decimal.self)
        let customer = try orders.reference("customer", as: DynamicRecord.ID.self)

        let ada = try await records.insert(into: customers) { id in
            try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace"), .set(mail, to: "ada@example.org")])
        }
        try await records.transaction(retrying: 3) { unit in
            let order = try unit.insert(into: orders) { id in
                try DynamicRecord(orders, id: id, ["customer": ada.id, "totalEUR": 12])
            }
            try unit.update(in: orders, id: order.id) { $0[total] += 1 }
            try unit.update(in: customers, id: ada.id) { try $0.set("eMail", to: nil) }
        }

        let request = try FetchRequest(
            orders, where: "totalEUR >= 10 and customer.fullName beginswith 'Ada'", sort: "totalEUR desc, id", limit: 20
        )
        for order in try await records.fetch(request) {
            print(order.id, order[total], try order.json())
        }
        let found = try await records.fetch(request)
        #expect(try found.map { try $0.json() } == [#"{"id":1,"customer":1,"totalEUR":13.00,"paid":false}"#])
        #expect(found.map { $0[customer] } == [ada.id])
        let unpaid = try RecordFilter(orders, where: "paid = false") && .compare(total, .greater, 100)
        #expect(try await records.count(FetchRequest(orders, unpaid)) == 0)

        let ordersOf = try customers.toMany("orders")
        let hers = try await records.transaction { unit in
            try unit.related(ordersOf, of: customers, id: ada.id).map { $0[total] }
        }
        #expect(hers == [13])

        let data = try JSONEncoder().encode(ada)
        let same = try JSONDecoder().decode(DynamicRecord.self, from: data, configuration: customers)
        #expect(same == ada)
        let wrong = #expect(throws: PersistenceError.self) { try orders.attribute("totalEUR", as: Double.self) }
        #expect(wrong?.description == "Orders.totalEUR: the property is a decimal(2), not a Double; use Decimal")

        let copies = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        try await copy(customers, from: records, to: copies.backgroundContext)
        #expect(try await copies.backgroundContext.fetch(FetchRequest(customers)).map { $0[mail] } == [nil])
        try container.close()
    }
}
