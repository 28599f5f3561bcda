import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("Records as structs and managed objects")
struct RecordsTests {
    private let date = Date(timeIntervalSinceReferenceDate: 12_345.5)
    private let teal = HexColor(red: 0, green: 170, blue: 170)

    /// Returns properties of a managed object of a record, read on the queue of its context.
    private func managed<Record: PersistentRecord, Shown: Sendable>(
        _ record: Record, _ show: @Sendable (Managed<Record>) -> Shown
    ) throws -> Shown {
        let container = try PersistentContainer(model: ReferenceModel.model(), .inMemory)
        return try container.backgroundContext.performAndWait { context in show(try context.insert(record)) }
    }

    @Test("a color struct and a managed color have the same properties", arguments: ["teal", nil])
    func color(name: String?) throws {
        let color = Color(id: 7, hex: teal, name: name, dateCreated: date)
        let expected = ["7", "#00AAAA", "\(name as Any)", "12345.5", name ?? "#00AAAA"]
        #expect(shown(color) == expected)
        #expect(try managed(color) { shown($0) } == expected)
        #expect(try managed(color) { ([color, $0] as [any ColorRecord]).map { shown($0) } } == [expected, expected])
    }

    @Test("a boss struct and a managed boss have the same properties")
    func boss() throws {
        let boss = Boss(id: 7, firstName: "Ada", lastName: "Lovelace")
        let expected = ["7", "Ada", "Lovelace", "Ada Lovelace"]
        #expect(shown(boss) == expected)
        #expect(try managed(boss) { shown($0) } == expected)
        #expect(try managed(boss) { ([boss, $0] as [any BossRecord]).map { shown($0) } } == [expected, expected])
    }

    @Test("an employee struct and a managed employee have the same properties", arguments: [3, nil] as [Boss.ID?])
    func employee(boss: Boss.ID?) throws {
        let employee = try Employee(
            id: 7, firstName: "Alan", lastName: "", salary: 90, dateHired: date, boss: boss)
        let expected = ["7", "Alan", "", "90", "12345.5", "\(boss as Any)", "Alan"]
        #expect(shown(employee) == expected)
        #expect(try managed(employee) { shown($0) } == expected)
        let both = try managed(employee) { ([employee, $0] as [any EmployeeRecord]).map { shown($0) } }
        #expect(both == [expected, expected])
    }

    @Test("an item struct and a managed item have the same properties")
    func item() throws {
        let itemId = UUID()
        let cost = try #require(Decimal(string: "100.10"))
        let item = try Item(
            id: 7, itemId: itemId, dateCreated: date, name: "Jug", unitCost: cost, unitPrice: 200, stockCount: 4)
        let expected = ["7", "\(itemId)", "12345.5", "Jug", "100.1", "200", "4", "99.9"]
        #expect(shown(item) == expected)
        #expect(try managed(item) { shown($0) } == expected)
        #expect(try managed(item) { ([item, $0] as [any ItemRecord]).map { shown($0) } } == [expected, expected])
    }

    @Test("a managed object returns a written value before it is saved")
    func written() throws {
        let color = Color(id: 7, hex: teal, dateCreated: date)
        let name = try managed(color) { object in
            object.name = "sea"
            return (object as any ColorRecord).displayName
        }
        #expect(name == "sea")
    }

    /// A stub with computed properties, without a store or a subclass.
    private struct Shade: ColorRecord {
        let id: Color.ID
        var hex: HexColor { HexColor(red: UInt8(id.rawValue * 16), green: 0, blue: 0) }
        var name: String? { id == 2 ? nil : "shade \(id)" }
        var dateCreated: Date { Date(timeIntervalSinceReferenceDate: Double(id.rawValue)) }
    }

    @Test("a test may use several stub records, each with its own computed values")
    func stubs() {
        let shades = [Shade(id: 1), Shade(id: 2), Shade(id: 3)]
        #expect(shades.map(\.displayName) == ["shade 1", "#200000", "shade 3"])
        #expect(shades.map { shown($0)[3] } == ["1.0", "2.0", "3.0"])
    }
}

private func shown(_ color: some ColorRecord) -> [String] {
    ["\(color.id)", "\(color.hex)", "\(color.name as Any)", seconds(color.dateCreated), color.displayName]
}

private func shown(_ boss: some BossRecord) -> [String] {
    ["\(boss.id)", boss.firstName, boss.lastName, boss.fullName]
}

private func shown(_ employee: some EmployeeRecord) -> [String] {
    let names = ["\(employee.id)", employee.firstName, employee.lastName]
    return names + ["\(employee.salary)", seconds(employee.dateHired), "\(employee.boss as Any)", employee.fullName]
}

private func shown(_ item: some ItemRecord) -> [String] {
    let identity = ["\(item.id)", "\(item.itemId)", seconds(item.dateCreated), item.name]
    return identity + ["\(item.unitCost)", "\(item.unitPrice)", "\(item.stockCount)", "\(item.margin)"]
}

private func seconds(_ date: Date) -> String { "\(date.timeIntervalSinceReferenceDate)" }
