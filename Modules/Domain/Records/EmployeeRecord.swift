public import Foundation

/// What code that reads employees depends on: the struct ``Employee`` conforms, and so does the managed object.
public protocol EmployeeRecord {
    /// The identity, given once.
    var id: Employee.ID { get }

    /// The given name.
    var firstName: String { get }

    /// The family name.
    var lastName: String { get }

    /// The yearly salary in whole units of the currency.
    var salary: Int { get }

    /// When the employment began.
    var dateHired: Date { get }

    /// The boss to report to, or nil.
    var boss: Boss.ID? { get }
}

extension EmployeeRecord {
    /// Given and family name, with a space between them where both are there.
    public var fullName: String { joinedName(firstName, lastName) }
}
