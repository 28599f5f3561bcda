import StrataCore

/// Counts the rows that a store in memory has looked at to find those it was asked for.
///
/// For tests: what an index saves is seen in the number, whatever the machine does.
final class ExaminedRows: Sendable {
    private let total = Guarded(0)

    /// The rows so far.
    var count: Int { total.withLock { $0 } }

    /// Counts more rows.
    func add(_ count: Int) { total.withLock { $0 += count } }
}

extension InMemoryStore {
    /// How many rows requests, transactions, snapshots and saves of this store have looked at so far; a copy counts its own.
    package var examinedRowCount: Int {
        get throws { try withState { $0.examined.count } }
    }
}
