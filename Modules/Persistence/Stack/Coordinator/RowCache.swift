import StrataCore

/// A cache of recently read rows, so that a fault or a repeatedly followed reference need not read the store.
///
/// All contexts of a container share the cache. It is off unless the store's description sets the maximum age of a row.
/// A row that a context of this container changes or deletes is removed immediately. A change by another process is
/// noticed when the row exceeds the maximum age, or when the change is announced. Versions always decide: a save that
/// is based on an old row detects the conflict.
///
/// Objects whose type has lifecycle hooks are not cached, because the hook of each context must receive the row.
final class RowCache: Sendable {
    /// The maximum number of rows in each of two generations.
    ///
    /// When the newer generation is full, the older generation is discarded.
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
        /// The number of removals, so that a row that was read before a removal is not cached after it.
        var changes = 0
    }

    private let stalenessInterval: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Guarded(State())

    init(stalenessInterval: Duration?, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.stalenessInterval = stalenessInterval
        self.now = now
    }

    /// A Boolean value that indicates whether the cache is off.
    var isOff: Bool { stalenessInterval.map { $0 <= .zero } ?? false }

    /// Returns a row as a record if it was read recently enough.
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

    /// The token that the caller passes to ``keep(_:version:readAfter:)`` for rows that it reads from now on.
    var mark: Int { state.withLock { $0.changes } }

    /// Caches a row, unless any row was removed from the cache after the token was taken.
    ///
    /// The removed row could be this row, which would then have its old values.
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

    /// Removes all rows of an entity.
    func forgetAll(of entity: String) {
        if isOff { return }
        state.withLock { state in
            state.changes += 1
            state.newer = state.newer.filter { $0.key.entity != entity }
            state.older = state.older.filter { $0.key.entity != entity }
        }
    }

    /// Removes rows that are known to be outdated.
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
