public import Foundation

/// A repository of employees.
public protocol EmployeeRepository: Repository where Record == Employee {
    /// Saves a new employee and returns it with its identifier.
    ///
    /// - Throws: ``DomainError`` with the code `outOfRange` if the salary is negative, and the storage's error if the
    ///   boss does not exist.
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
    /// Saves a new employee with the current date as the date of hire, and returns it with its identifier.
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

    /// Deletes the employee that has this record's identifier, and returns `false` if the repository has none.
    ///
    /// The method reads only the id, and reads it before it leaves the caller's executor. The caller may pass a managed
    /// object.
    @discardableResult
    public nonisolated(nonsending) func delete(_ employee: some EmployeeRecord) async throws -> Bool {
        try await delete(employee.id)
    }
}
