public import Foundation

/// The properties of an employee, for code that accepts both the struct ``Employee`` and the managed object.
public protocol EmployeeRecord {
    /// The identifier, which never changes.
    var id: Employee.ID { get }

    /// The given name.
    var firstName: String { get }

    /// The family name.
    var lastName: String { get }

    /// The yearly salary in whole units of the currency.
    var salary: Int { get }

    /// The date when the employment began.
    var dateHired: Date { get }

    /// The identifier of the employee's boss, or `nil` if the employee has no boss.
    var boss: Boss.ID? { get }
}

extension EmployeeRecord {
    /// The given name and family name, with a space between them if both exist.
    public var fullName: String { joinedName(firstName, lastName) }
}
