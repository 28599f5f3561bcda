public import Foundation

/// A person who earns a salary and may report to a boss.
///
/// The initializer rejects invalid values. A caller may later change a copy to an invalid value (`employee.salary =
/// -1`), as with any struct. A save validates the values again and then rejects the copy.
public struct Employee: EmployeeRecord, Identifiable, Hashable, Sendable {
    /// The type of an employee's identifier.
    public typealias ID = Identifier<Employee>

    /// The minimum salary, in whole units of the currency.
    public static let minimumSalary = 0

    /// The identifier, which never changes.
    public let id: ID

    /// The given name.
    public var firstName: String

    /// The family name.
    public var lastName: String

    /// The yearly salary in whole units of the currency, at least ``minimumSalary``.
    public var salary: Int

    /// The date when the employment began.
    public var dateHired: Date

    /// The identifier of the employee's boss, or `nil` if the employee has no boss.
    public var boss: Boss.ID?

    /// Creates an employee.
    ///
    /// - Throws: ``DomainError`` with the code `outOfRange` if the salary is less than ``minimumSalary``.
    public init(
        id: ID,
        firstName: String,
        lastName: String,
        salary: Int,
        dateHired: Date,
        boss: Boss.ID? = nil
    ) throws {
        let rule = PropertyRule(type: "Employee", property: "salary")
        try rule.require(salary, atLeast: Self.minimumSalary)
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.salary = salary
        self.dateHired = dateHired
        self.boss = boss
    }
}
