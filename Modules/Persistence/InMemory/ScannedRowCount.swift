import StrataCore
import StrataStoreKit

/// A counter of the rows that an in-memory store has examined to answer requests.
///
/// It is for tests: the count shows the effect of an index, independently of the speed of the machine.
final class ScannedRowCount: Sendable {
    private let total = Guarded(0)

    /// The count of examined rows.
    var count: Int { total.withLock { $0 } }

    /// Adds a count of examined rows.
    func add(_ count: Int) { total.withLock { $0 += count } }
}

extension InMemoryStore {
    /// The count of rows that requests, transactions, snapshots and saves of this store have examined.
    ///
    /// A copy of the store has its own count.
    package var examinedRowCount: Int {
        get throws { try withState { $0.examined.count } }
    }
}
