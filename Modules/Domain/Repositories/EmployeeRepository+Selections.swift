public import Foundation

extension EmployeeRepository {
    /// Returns the employees who report to a boss, by ascending id.
    ///
    /// - Parameter boss: The identifier of the boss; the result is empty if no such boss exists.
    /// - Returns: The employees, all in memory at the same time.
    /// - Throws: The error of the storage.
    public func employees(of boss: Boss.ID) async throws -> [Employee] {
        // An employee's boss is optional, and a predicate compares values of the same type only.
        let wanted: Boss.ID? = boss
        return try await fetch(Query(where: #Predicate { $0.boss == wanted }))
    }

    /// Returns the employees who report to the boss that has this record's identifier, by ascending id.
    ///
    /// The method reads only the id, and reads it before it leaves the caller's executor. The caller may pass a managed
    /// object.
    public nonisolated(nonsending) func employees(of boss: some BossRecord) async throws -> [Employee] {
        try await employees(of: boss.id)
    }

    /// Returns the employees whose salary is in a range, including both bounds, by ascending id.
    ///
    /// - Parameter salaries: The range, in whole units of the currency.
    /// - Returns: The employees, all in memory at the same time.
    /// - Throws: The error of the storage.
    public func employees(earning salaries: ClosedRange<Int>) async throws -> [Employee] {
        let least: Int = salaries.lowerBound
        let most: Int = salaries.upperBound
        return try await fetch(Query(where: #Predicate { $0.salary >= least && $0.salary <= most }))
    }

    /// Returns the employees who were hired at or after the start of a range and before its end, by ascending id.
    ///
    /// A range of days has its end at the midnight after the last day.
    ///
    /// - Parameter dates: The range of instants.
    /// - Returns: The employees, all in memory at the same time.
    /// - Throws: The error of the storage.
    public func employees(hired dates: Range<Date>) async throws -> [Employee] {
        let start: Date = dates.lowerBound
        let end: Date = dates.upperBound
        return try await fetch(Query(where: #Predicate { $0.dateHired >= start && $0.dateHired < end }))
    }
}
