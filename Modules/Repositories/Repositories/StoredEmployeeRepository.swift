public import Foundation
public import StrataDomain
public import StrataPersistence

/// Employees in a store.
public struct StoredEmployeeRepository: EmployeeRepository, StoredRepository {
    /// The records' type.
    public typealias Record = Employee

    /// Where the employees are kept.
    public let context: any RecordContext

    /// A repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Makes an employee and saves it.
    @discardableResult
    public func create(
        firstName: String, lastName: String, salary: Int, dateHired: Date, boss: Boss.ID?
    ) async throws -> Employee {
        try await context.insert(Employee.self) { id in
            try Employee(
                id: id, firstName: firstName, lastName: lastName, salary: salary, dateHired: dateHired, boss: boss)
        }
    }
}
