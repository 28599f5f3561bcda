import Foundation
import StrataDomain
import Testing

@Suite("Tests of client code with struct doubles")
struct CallersWithDoublesTests {
    private let day = Date(timeIntervalSinceReferenceDate: 0)

    @Test("the palette shows the newest colors first, by name or by hex value")
    func newestNames() async throws {
        let colors = [
            Color(id: 1, hex: try HexColor("#008080"), name: "teal", dateCreated: day),
            Color(id: 2, hex: try HexColor("#FA8072"), name: "salmon", dateCreated: day + 2),
            Color(id: 3, hex: try HexColor("#36F"), dateCreated: day + 1),
        ]
        let palette = Palette(colors: RepositoryDouble(records: colors))
        #expect(try await palette.newestNames(2) == ["salmon", "#3366FF"])
    }

    @Test("the payroll adds up the salaries of a boss's own team")
    func summary() async throws {
        let ada = Boss(id: 1, firstName: "Ada", lastName: "Lovelace")
        let employees = [
            try Employee(id: 1, firstName: "Alan", lastName: "T", salary: 300, dateHired: day, boss: ada.id),
            try Employee(id: 2, firstName: "Kurt", lastName: "G", salary: 500, dateHired: day, boss: 2),
            try Employee(id: 3, firstName: "Emmy", lastName: "N", salary: 400, dateHired: day, boss: ada.id),
        ]
        let payroll = Payroll(
            bosses: RepositoryDouble(records: [ada]), employees: RepositoryDouble(records: employees))
        #expect(try await payroll.summary(of: ada.id) == "Ada Lovelace: 700")
        #expect(try await payroll.raise(2, by: 50).salary == 550)
        await #expect(throws: DomainError.notFound(Boss.self, id: 2)) { try await payroll.summary(of: 2) }
    }

    @Test("the warehouse's profit is the sum of each item's margin times its stock")
    func profitInStock() async throws {
        let items = [
            try Item(
                id: 1, itemId: UUID(), dateCreated: day, name: "Cup", unitCost: 1, unitPrice: 3, stockCount: 10),
            try Item(id: 2, itemId: UUID(), dateCreated: day, name: "Jug", unitCost: 5, unitPrice: 4, stockCount: 3),
        ]
        let warehouse = Warehouse(items: RepositoryDouble(records: items))
        #expect(try await warehouse.profitInStock() == 17)
    }
}
