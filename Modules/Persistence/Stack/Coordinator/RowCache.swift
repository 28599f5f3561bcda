import StrataCore

/// Rows that were read lately, so that a fault, or a reference followed again, need not ask the store.
///
/// Shared by all contexts of a container, and off unless the store's description says how old a row may be. A row that this container's contexts
/// change or delete leaves at once; what other processes write is noticed when the row has become too old, or when it is announced. Versions decide in any case: a save based on
/// an old row finds the conflict. Objects whose type has hooks are not kept: each context's hook is to see the row.
final class RowCache: Sendable {
    /// The most rows in each of two generations: when the newer one is full, the older one goes.
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
        /// Counts what was thrown out, so that a row that was read before is not kept after.
        var changes = 0
    }

    private let stalenessInterval: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Guarded(State())

    init(stalenessInterval: Duration?, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.stalenessInterval = stalenessInterval
        self.now = now
    }

    /// Whether nothing is kept.
    var isOff: Bool { stalenessInterval.map { $0 <= .zero } ?? false }

    /// A row as a record, if it was read lately enough.
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

    /// What to hand to ``keep(_:version:readAfter:)`` for rows that are read from now on.
    var mark: Int { state.withLock { $0.changes } }

    /// Keeps a row, unless something was thrown out since the mark was taken: it could be this row, as it was before.
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

    /// Throws out what changed.
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

    /// Throws out all rows of an entity.
    func forgetAll(of entity: String) {
        if isOff { return }
        state.withLock { state in
            state.changes += 1
            state.newer = state.newer.filter { $0.key.entity != entity }
            state.older = state.older.filter { $0.key.entity != entity }
        }
    }

    /// Throws out rows that are known to be old.
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
