import Foundation
import StrataDomain
import Testing

@Suite("Computed properties of records")
struct RecordConvenienceTests {
    @Test(
        "a full name has a space only between two nonempty parts",
        arguments: [("Zoë", "Nguyễn", "Zoë Nguyễn"), ("Cher", "", "Cher"), ("", "O'Brien", "O'Brien"), ("", "", "")]
    )
    func fullName(first: String, last: String, expected: String) throws {
        let boss: any BossRecord = Boss(id: 1, firstName: first, lastName: last)
        #expect(boss.fullName == expected)
        let employee: any EmployeeRecord = try Employee(
            id: 1,
            firstName: first,
            lastName: last,
            salary: 1,
            dateHired: .now
        )
        #expect(employee.fullName == expected)
    }

    @Test("the display name of a color without a name is its hex text")
    func displayName() throws {
        let hex = try HexColor("0aa")
        let colors: [any ColorRecord] = [
            Color(id: 1, hex: hex, dateCreated: .now), Color(id: 2, hex: hex, name: "teal", dateCreated: .now),
        ]
        #expect(colors.map(\.displayName) == ["#00AAAA", "teal"])
    }

    @Test("an item's margin is its price minus its cost, and may be negative")
    func margin() throws {
        let item: any ItemRecord = try Item(
            id: 1,
            itemId: UUID(),
            dateCreated: .now,
            name: "Cup",
            unitCost: 3,
            unitPrice: 2
        )
        #expect(item.margin == -1)
    }

    @Test("the error for a missing record names the type and the identifier")
    func notFound() {
        let error = DomainError.notFound(Color.self, id: 7)
        #expect(error.description == "there is no Color with id 7")
        #expect(error.type == "Color" && error.code == .notFound)
    }
}
