import Foundation
import StrataDomain

// Three examples of client code that depend on the module StrataDomain and not on stacks, contexts or stores.

struct Palette {
    let colors: any ColorRepository
    func newestNames(_ count: Int) async throws -> [String] {
        try await colors.newestFirst(limit: count).map(\.displayName)
    }
}

struct Payroll {
    let bosses: any BossRepository
    let employees: any EmployeeRepository

    func summary(of boss: Boss.ID) async throws -> String {
        let team = try await employees.employees(of: boss)
        return "\(try await bosses.get(boss).fullName): \(team.map(\.salary).reduce(0, +))"
    }

    func raise(_ id: Employee.ID, by amount: Int) async throws -> Employee {
        try await employees.update(id) { $0.salary += amount }
    }
}

struct Warehouse {
    let items: any ItemRepository

    func profitInStock() async throws -> Decimal {
        var profit: Decimal = 0
        for try await item in items.stream() { profit += item.margin * Decimal(item.stockCount) }
        return profit
    }
}
