public import Domain

extension DatasetGenerator {
    /// The boss at an index from 0; the id is index + 1.
    ///
    /// - Throws: `DomainError` with the code `outOfRange` where the index is none.
    public func boss(at index: Int) throws -> Boss {
        let name = PersonWords.name(try row(.boss, at: index))
        return Boss(id: try Boss.ID(index + 1), firstName: name.first, lastName: name.last)
    }

    /// The employee at an index from 0; the id is index + 1.
    ///
    /// With `bosses` above 0, about 95 in 100 report to one of the bosses 1 to `bosses`; otherwise nobody does.
    /// Everything but the boss is the same whatever `bosses` is.
    ///
    /// - Throws: `DomainError` with the code `outOfRange` where the index is none or `bosses` is negative.
    public func employee(at index: Int, bosses: Int = 0) throws -> Employee {
        guard bosses >= 0 else {
            throw DomainError(
                code: .outOfRange,
                type: "DatasetGenerator",
                property: "bosses",
                message: "\(bosses) is less than 0"
            )
        }
        let row = try row(.employee, at: index)
        let name = PersonWords.name(row)
        return try Employee(
            id: Employee.ID(index + 1),
            firstName: name.first,
            lastName: name.last,
            salary: Salaries.least + Salaries.step * row.value(PersonField.salary, below: Salaries.count),
            dateHired: row.date(PersonField.dateHired, in: DateRanges.hired),
            boss: Self.boss(of: row, among: bosses)
        )
    }

    private static func boss(of row: RowSource, among bosses: Int) throws -> Boss.ID? {
        guard bosses > 0, row.value(PersonField.hasBoss, below: 20) > 0 else { return nil }
        return try Boss.ID(row.value(PersonField.boss, in: 1...bosses))
    }

    /// Salaries of 20,000 to 250,000 in steps of a hundred.
    private enum Salaries {
        static let least = 20_000
        static let step = 100
        static let count = 2_301
    }
}

/// The addresses of the fields of bosses and employees; part of the dataset, never reused.
enum PersonField {
    static let flavour: UInt64 = 1
    static let firstName: UInt64 = 2
    static let lastName: UInt64 = 3
    static let unusual: UInt64 = 4
    static let salary: UInt64 = 5
    static let dateHired: UInt64 = 6
    static let hasBoss: UInt64 = 7
    static let boss: UInt64 = 8
}
