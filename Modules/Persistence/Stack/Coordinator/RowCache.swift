import StrataCore
import StrataStoreKit

/// A cache of recently read rows, so that a fault or a repeatedly followed reference need not read the store.
///
/// All contexts of a container share the cache. It is disabled unless the store's description sets a maximum age of
/// cached rows. If a context of this container changes or deletes a row, the row is removed from the cache immediately.
/// A change by another process becomes visible when the cached row exceeds the maximum age, or when the other process
/// announces the change. If a save is based on an outdated row, the row's version reveals the conflict.
///
/// Rows of record types with lifecycle hooks are not cached, because the hook of each context must run when it reads
/// the row.
final class RowCache: Sendable {
    /// The maximum number of rows in each of the cache's two generations.
    ///
    /// If the newer generation is full, the older generation is discarded.
    private static let maximumCount = 5_000

    private struct Key: Hashable {
        let entity: String
        let id: Int64
    }

    private struct Entry {
        let record: any Sendable
        let version: Int64
        let readAt: ContinuousClock.Instant
    }

    private struct State {
        var newer: [Key: Entry] = [:]
        var older: [Key: Entry] = [:]
        /// The number of removals, which prevents that a row that was read before a removal is cached after it.
        var changes = 0
    }

    private let stalenessInterval: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Guarded(State())

    init(stalenessInterval: Duration?, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.stalenessInterval = stalenessInterval
        self.now = now
    }

    /// A Boolean value that indicates whether the cache is disabled.
    var isOff: Bool { stalenessInterval.map { $0 <= .zero } ?? false }

    /// Returns the record of a cached row with its version, or `nil` if the row is not cached or is too old.
    func record<Record: ManagedRecord>(
        _ id: Int64, of entity: RecordEntity<Record>
    ) -> (record: Record, version: Int64)? {
        if isOff { return nil }
        let key = Key(entity: entity.name, id: id)
        let found = state.withLock { $0.newer[key] ?? $0.older[key] }
        guard let found, let record = found.record as? Record else { return nil }
        if let stalenessInterval, found.readAt.duration(to: now()) > stalenessInterval { return nil }
        return (record, found.version)
    }

    /// A token for rows that the caller reads from now on, to be passed to ``keep(_:version:readAfter:)``.
    var mark: Int { state.withLock { $0.changes } }

    /// Caches a row, unless any row was removed from the cache after the token was created.
    ///
    /// The removed row could be this row, and its old values must not be cached.
    func keep<Record: ManagedRecord>(_ record: Record, version: Int64, readAfter mark: Int) {
        if isOff { return }
        let key = Key(entity: record.recordEntity.name, id: record.id.rawValue)
        let entry = Entry(record: record, version: version, readAt: now())
        state.withLock { state in
            guard state.changes == mark else { return }
            state.newer[key] = entry
            if state.newer.count > Self.maximumCount {
                state.older = state.newer
                state.newer = [:]
            }
        }
    }

    /// Removes the rows that a change updated or deleted.
    func forget(_ change: StoreChange) {
        for (entity, change) in change.entities {
            for ids in [change.updated, change.deleted] where !ids.isEmpty {
                switch ids {
                case .some(let ids): forget(entity, ids)
                case .everything: forgetAll(of: entity)
                }
            }
        }
    }

    /// Removes all cached rows of an entity.
    func forgetAll(of entity: String) {
        if isOff { return }
        state.withLock { state in
            state.changes += 1
            state.newer = state.newer.filter { $0.key.entity != entity }
            state.older = state.older.filter { $0.key.entity != entity }
        }
    }

    /// Removes cached rows that are known to be outdated.
    func forget(_ entity: String, _ ids: some Collection<Int64>) {
        if isOff { return }
        state.withLock { state in
            state.changes += 1
            for id in ids {
                state.newer[Key(entity: entity, id: id)] = nil
                state.older[Key(entity: entity, id: id)] = nil
            }
        }
    }
}
