import Foundation
import StrataDomain
import Testing

@Suite("Protocols of boss and employee repositories")
struct EmployeeRepositoryTests {
    private let bosses: any BossRepository = ArrayRepository<Boss>()
    private let employees: any EmployeeRepository = ArrayRepository<Employee>()

    private func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

    private func fill() async throws {
        for (number, boss) in ([nil, 1, 2, 1] as [Boss.ID?]).enumerated() {
            try await employees.create(
                firstName: "E",
                lastName: "\(number)",
                salary: number * 1_000,
                dateHired: day(number),
                boss: boss
            )
        }
    }

    @Test("a boss's employees are found by the boss's identifier and by the boss's record")
    func ofBoss() async throws {
        try await fill()
        let boss = try await bosses.create(firstName: "Ada", lastName: "Lovelace")
        #expect(try await employees.employees(of: boss.id).map(\.id) == [2, 4])
        #expect(try await employees.employees(of: boss).map(\.id) == [2, 4])
        #expect(try await employees.employees(of: 9).isEmpty)
    }

    @Test("a search by a salary range includes both ends of the range")
    func earning() async throws {
        try await fill()
        #expect(try await employees.employees(earning: 1_000...2_000).map(\.id) == [2, 3])
    }

    @Test("a search by a range of hire dates includes its start and excludes its end")
    func hired() async throws {
        try await fill()
        #expect(try await employees.employees(hired: day(1)..<day(3)).map(\.id) == [2, 3])
        #expect(try await employees.employees(hired: day(1)..<day(1)).isEmpty)
    }

    @Test("an employee is created with default values for the date and the boss")
    func defaults() async throws {
        let before = Date.now
        let fresh = try await employees.create(firstName: "A", lastName: "B", salary: 1)
        #expect((before...Date.now).contains(fresh.dateHired) && fresh.boss == nil)
        let led = try await employees.create(firstName: "A", lastName: "B", salary: 1, boss: 3)
        #expect(led.boss == 3)
        let dated = try await employees.create(firstName: "A", lastName: "B", salary: 1, dateHired: day(5))
        #expect(dated.dateHired == day(5) && dated.boss == nil)
    }

    @Test("deleting an employee by its record deletes only this employee")
    func delete() async throws {
        try await fill()
        #expect(try await employees.delete(employees.get(2)))
        #expect(try await employees.fetch().map(\.id) == [1, 3, 4])
        let boss = try await bosses.create(firstName: "A", lastName: "B")
        #expect(try await bosses.delete(boss))
        #expect(try await bosses.delete(boss) == false)
    }
}
