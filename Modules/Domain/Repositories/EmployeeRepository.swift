public import Foundation

/// Where employees are kept.
public protocol EmployeeRepository: Repository where Record == Employee {
    /// Saves a new employee and returns it with its identifier.
    ///
    /// - Throws: ``DomainError`` with the code `outOfRange` where the salary is negative, and the storage's error
    ///   where there is no such boss.
    @discardableResult
    func create(
        firstName: String,
        lastName: String,
        salary: Int,
        dateHired: Date,
        boss: Boss.ID?
    ) async throws -> Employee
}

extension EmployeeRepository {
    /// Saves a new employee, hired now, and returns it with its identifier.
    @discardableResult
    public func create(
        firstName: String,
        lastName: String,
        salary: Int,
        boss: Boss.ID? = nil
    ) async throws -> Employee {
        try await create(firstName: firstName, lastName: lastName, salary: salary, dateHired: .now, boss: boss)
    }

    /// Saves a new employee without a boss and returns it with its identifier.
    @discardableResult
    public func create(
        firstName: String,
        lastName: String,
        salary: Int,
        dateHired: Date
    ) async throws -> Employee {
        try await create(firstName: firstName, lastName: lastName, salary: salary, dateHired: dateHired, boss: nil)
    }

    /// Deletes the employee that this record shows, and returns false where there was none.
    ///
    /// Only the id is read, and before the caller's executor is left: a managed object may be passed.
    @discardableResult
    public nonisolated(nonsending) func delete(_ employee: some EmployeeRecord) async throws -> Bool {
        try await delete(employee.id)
    }
}
