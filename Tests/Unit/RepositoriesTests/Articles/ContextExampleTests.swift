import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

/// The README's example of a context.
@Suite("The context example of the README")
struct ContextExampleTests {
    @Test(
        "one transaction raises the salaries of a boss's employees, and a prefetching fetch reads them",
        arguments: StoreKind.allCases)
    func raise(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let container = stack.container
        let bosses = StoredBossRepository(container.backgroundContext)
        let employees = StoredEmployeeRepository(container.backgroundContext)
        let ada = try await bosses.create(firstName: "Ada", lastName: "Lovelace")
        for salary in [100, 200] {
            try await employees.create(
                firstName: "E", lastName: "\(salary)", salary: salary, dateHired: .now, boss: ada.id)
        }
        #expect(try await raise(container, ada.id) == 2)
        #expect(try await employees.fetch(Query()).map(\.salary) == [110, 220])
        #expect(try await payroll(container, atLeast: 2) == ["Ada Lovelace: 330"])
    }

    private func raise(_ container: PersistentContainer, _ id: Boss.ID) async throws -> Int {
        try await container.backgroundContext.performTransaction { context in
            let boss = try context.existingObject(with: id, of: Boss.self)
            let team = try context.objects(\.employees, of: boss)
            for employee in team { employee.salary += employee.salary / 10 }
            return team.count
        }
    }

    private func payroll(_ container: PersistentContainer, atLeast count: Int) async throws -> [String] {
        let request = FetchRequest<Boss>(
            .count(\.employees, .greaterOrEqual, count), prefetching: [.toMany(\.employees)])
        return try await container.mainContext.perform { context in
            try context.fetch(request).map { boss in
                let salaries = try context.objects(\.employees, of: boss).map { $0.salary }
                return "\(boss.record.fullName): \(salaries.reduce(0, +))"
            }
        }
    }
}
