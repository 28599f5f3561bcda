public import Foundation

/// Someone who earns a salary and may report to a boss.
///
/// The initialiser refuses what is invalid. A copy may be changed into something invalid afterwards
/// (`employee.salary = -1`), as any struct may: saving validates again and refuses it then.
public struct Employee: EmployeeRecord, Identifiable, Hashable, Sendable {
    /// What identifies an employee.
    public typealias ID = Identifier<Employee>

    /// The least salary there is, in whole units of the currency.
    public static let minimumSalary = 0

    /// The identity, given once.
    public let id: ID

    /// The given name.
    public var firstName: String

    /// The family name.
    public var lastName: String

    /// The yearly salary in whole units of the currency, at least ``minimumSalary``.
    public var salary: Int

    /// When the employment began.
    public var dateHired: Date

    /// The boss to report to, or nil.
    public var boss: Boss.ID?

    /// Makes an employee.
    ///
    /// - Throws: ``DomainError`` with the code `outOfRange` where the salary is less than ``minimumSalary``.
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
