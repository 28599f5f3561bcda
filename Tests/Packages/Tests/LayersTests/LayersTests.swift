import Domain
import Foundation
import Interchange
import Persistence
import Reports
import Repositories
import StrataInterchange
import StrataPersistence
import Testing

@Suite("A server with its own layers")
struct LayersTests {
    @Test("targets and types with common names coexist with Strata's")
    func layers() async throws {
        let billing = try Billing(.inMemory)
        defer { try? billing.container.close() }
        #expect(try billing.bill("Ada", ["1", "2"]) == 3)
        let found = try billing.invoices(.ofCustomer, of: "Ada")
        #expect(found.map(\.number) == ["2", "1"])
        #expect(try billing.invoices(.ofCustomer, of: "Grace").isEmpty)
        #expect(try billing.invoices(.all, of: "Grace") == found)

        let repository = InvoiceRepository(billing.container.newBackgroundContext())
        let first = try #require(try await repository.find("1"))
        #expect(try await repository.renumber(first.id, to: "3").number == "3")

        let csv = ByteInput(bytes: Array("name\nGrace\n".utf8), name: "customers.csv")
        #expect(try importCustomers(csv, into: billing.container).count == 1)
        #expect(try page(of: billing.container).contains("Invoices"))
        #expect(Entity("own") != Entity("other") && Condition.new != .used)
    }

    @Test("a server maps error codes to responses, with a default for later codes")
    func status() throws {
        let billing = try Billing(.inMemory)
        defer { try? billing.container.close() }
        let invalid = try #require(throws: PersistenceError.self) { try billing.bill("", []) }
        #expect(Billing.status(of: invalid) == 422)
        try billing.bill("Ada", ["1"])
        let taken = try #require(throws: PersistenceError.self) { try billing.bill("Grace", ["1"]) }
        #expect(Billing.status(of: taken) == 409)
        #expect(Billing.status(of: CancellationError()) == 500)
    }
}
