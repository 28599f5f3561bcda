public import Foundation
public import StrataDomain
public import StrataPersistence

/// A repository of employees in a store.
public struct StoredEmployeeRepository: EmployeeRepository, StoredRepository {
    /// The type of the records.
    public typealias Record = Employee

    /// The context that reads and saves the employees.
    public let context: any RecordContext

    /// Creates a repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Creates an employee and saves it.
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
