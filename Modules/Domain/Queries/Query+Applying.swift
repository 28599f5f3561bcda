import Foundation

extension Query where Record: Identifiable, Record.ID: Comparable {
    /// Returns the records of a collection that the query selects, in the order in which a repository would return
    /// them.
    ///
    /// Use this method for repositories that are plain structs over an array, in tests and examples. The method
    /// evaluates the predicate for each record with Foundation's own rules.
    ///
    /// - Throws: The ``DomainError`` of ``validate()``, or an error from the evaluation of the predicate.
    /// - Complexity: O(*n* log *n*) in the number of records.
    public func applied(to records: some Sequence<Record>) throws -> [Record] {
        try validate()
        let selected = try records.filter { try predicate?.evaluate($0) ?? true }
        let ordered = selected.sorted(by: precedes)
        return Array(ordered.dropFirst(offset).prefix(limit ?? Int.max))
    }

    private func precedes(_ left: Record, _ right: Record) -> Bool {
        for key in sort {
            let result = key.compare(left, right)
            if result == .orderedSame { continue }
            return (result == .orderedAscending) == (key.order == .forward)
        }
        return left.id < right.id
    }
}
