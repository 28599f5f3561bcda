import Foundation
import StrataDomain

/// A stand-in for the color repository that reads an array and reports the requested changes.
struct ColorsDouble: ColorRepository {
    var colors: [Color] = []
    var created: @Sendable (HexColor, String?) throws -> Void = { _, _ in }
    var deleted: @Sendable (Color.ID) -> Void = { _ in }

    func find(_ id: Color.ID) -> Color? { colors.first { $0.id == id } }
    func fetch(_ query: Query<Color>) throws -> [Color] { try query.applied(to: colors) }
    func update(_ id: Color.ID, _ change: @Sendable (inout Color) throws -> Void) async throws -> Color {
        try await get(id)
    }
    func delete(_ id: Color.ID) -> Bool {
        deleted(id)
        return find(id) != nil
    }
    func deleteAll() -> Int { colors.count }
    func create(hex: HexColor, name: String?, dateCreated: Date) throws -> Color {
        try created(hex, name)
        return Color(id: 999, hex: hex, name: name, dateCreated: dateCreated)
    }
}

/// A stand-in for the employee repository that reads an array and reports the requested changes.
struct EmployeesDouble: EmployeeRepository {
    var employees: [Employee] = []
    var saved: @Sendable (Employee) -> Void = { _ in }

    func find(_ id: Employee.ID) -> Employee? { employees.first { $0.id == id } }
    func fetch(_ query: Query<Employee>) throws -> [Employee] { try query.applied(to: employees) }
    func update(_ id: Employee.ID, _ change: @Sendable (inout Employee) throws -> Void) async throws -> Employee {
        var employee = try await get(id)
        try change(&employee)
        saved(employee)
        return employee
    }
    func delete(_ id: Employee.ID) -> Bool { find(id) != nil }
    func deleteAll() -> Int { employees.count }
    func create(
        firstName: String, lastName: String, salary: Int, dateHired: Date, boss: Boss.ID?
    ) throws -> Employee {
        let employee = try Employee(
            id: 999, firstName: firstName, lastName: lastName, salary: salary, dateHired: dateHired, boss: boss)
        saved(employee)
        return employee
    }
}
