public import Foundation

extension EmployeeRepository {
    /// Those who report to this boss, by ascending id.
    public func employees(of boss: Boss.ID) async throws -> [Employee] {
        // An employee's boss is optional, and a predicate compares like with like.
        let wanted: Boss.ID? = boss
        return try await fetch(Query(where: #Predicate { $0.boss == wanted }))
    }

    /// Those who report to the boss that this record shows, by ascending id.
    ///
    /// Only the id is read, and before the caller's executor is left: a managed object may be passed.
    public nonisolated(nonsending) func employees(of boss: some BossRecord) async throws -> [Employee] {
        try await employees(of: boss.id)
    }

    /// Those whose salary lies in a range, both ends included, by ascending id.
    public func employees(earning salaries: ClosedRange<Int>) async throws -> [Employee] {
        let least: Int = salaries.lowerBound
        let most: Int = salaries.upperBound
        return try await fetch(Query(where: #Predicate { $0.salary >= least && $0.salary <= most }))
    }

    /// Those who were hired at or after the start of a range and before its end, by ascending id.
    public func employees(hired dates: Range<Date>) async throws -> [Employee] {
        let start: Date = dates.lowerBound
        let end: Date = dates.upperBound
        return try await fetch(Query(where: #Predicate { $0.dateHired >= start && $0.dateHired < end }))
    }
}
