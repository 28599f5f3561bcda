import StrataCore
import StrataStoreKit

/// The contexts of a container that are pinned to a state of the store.
///
/// While a context is pinned, the log of a SQLite store grows with each commit, and a store on a server keeps old rows.
/// Therefore their number is limited.
final class QueryGenerations: Sendable {
    /// The maximum number of contexts that are pinned at the same time.
    static let maximumCount = 8

    private struct Pinned: Sendable {
        let source: ObjectIdentifier
        let name: String
        let since: ContinuousClock.Instant
    }

    private let pinned = Guarded<[Pinned]>([])

    /// Adds a context.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if too many contexts are
    ///   pinned.
    func begin(_ source: ObjectIdentifier, _ name: String) throws {
        let new = Pinned(source: source, name: name, since: .now)
        try pinned.withLock { pinned in
            if pinned.count >= Self.maximumCount, let oldest = pinned.first {
                throw PersistenceError(
                    .invalidRequest,
                    "\(Self.maximumCount) contexts are pinned to a query generation; unpin one of them first. The "
                        + "oldest is “\(oldest.name)”, which has been pinned for \(oldest.since.duration(to: .now))")
            }
            pinned.append(new)
        }
    }

    /// Removes a context.
    func end(_ source: ObjectIdentifier) {
        pinned.withLock { $0.removeAll { $0.source == source } }
    }
}
