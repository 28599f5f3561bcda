public import Foundation
public import StrataDomain
public import StrataPersistence

extension Employee: PersistentRecord {
    /// The entity of employees: names, `salary`, `dateHired`, and an optional boss.
    ///
    /// The minimum salary is 0. The default of `dateHired` is the current date.
    public static let entity = RecordEntity<Employee>(
        "Employee", id: \.id, rawID: \Employee.ID.rawValue,
        [
            .attribute("firstName", \.firstName),
            .attribute("lastName", \.lastName),
            .attribute("salary", \.salary, rules: [.minimum(.integer(Int64(Employee.minimumSalary)))]),
            .attribute("dateHired", \.dateHired, default: .now),
            .toOne("boss", \.boss, raw: \Boss.ID.rawValue, to: "Boss", inverse: "employees"),
        ], rules: .model
    ) { row in
        try Employee(
            id: row.id(), firstName: row.next(), lastName: row.next(), salary: row.next(), dateHired: row.next(),
            boss: row.next())
    }
}

extension Managed: EmployeeRecord where Record == Employee {
    /// The first name of the employee.
    public var firstName: String { record.firstName }
    /// The last name of the employee.
    public var lastName: String { record.lastName }
    /// The salary, a whole number of at least 0.
    public var salary: Int { record.salary }
    /// The date when the employee was hired.
    public var dateHired: Date { record.dateHired }
    /// The identifier of the employee's boss, or `nil` if the employee has no boss.
    public var boss: Boss.ID? { record.boss }
}
