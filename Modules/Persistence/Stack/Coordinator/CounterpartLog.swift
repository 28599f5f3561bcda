import StrataCore

/// A reference of a one-to-one relationship: a column of an entity and the referenced counterpart.
struct CounterpartKey: Hashable {
    let entity: String
    let column: Int
    let target: Int64
}

/// A log of assignments to one-to-one relationships: which object was assigned to which.
///
/// A one-to-one counterpart may have only one owner. A context may assign a counterpart without having read the row of
/// its current owner. In that case, the versions of its rows do not reveal the conflict. The log therefore records when
/// counterparts were assigned, so that a context can detect assignments by other contexts since it began to read.
///
/// The log contains the changes through one coordinator. A context detects the saves of another process only by the
/// rows that it has read itself.
final class CounterpartLog: Sendable {
    /// The maximum number of counterparts in the log.
    ///
    /// Beyond the maximum, the log is cleared. Readers that began before then assume that any counterpart may have been
    /// assigned.
    private static let maximumCount = 10_000

    /// The point in time up to which a context knows the saved changes.
    struct View: Sendable {
        /// The number of the context; the changes that it saved itself are known to it.
        let reader: Int
        /// The time of the log when the context began to read its current data.
        var time: Int
    }

    private struct State {
        /// The number of recorded changes.
        var time = 0
        var readerCount = 0
        var given: [CounterpartKey: (time: Int, reader: Int)] = [:]
        /// The last time at which any counterpart may have been assigned.
        var anyTime = 0
        /// The last time at which any counterpart of an entity may have been assigned, by entity.
        var anyTimes: [String: Int] = [:]
    }

    /// The columns of one-to-one relationships, by entity.
    private let columns: [String: [Int]]
    private let state = Guarded(State())

    init(_ model: ManagedObjectModel) {
        columns = model.entities.reduce(into: [:]) { columns, entity in
            let exclusive = entity.columns.indices.filter { entity.columns[$0].isExclusive }
            if !exclusive.isEmpty { columns[entity.name] = exclusive }
        }
    }

    /// A Boolean value that indicates whether the model has no one-to-one relationship, so that nothing is recorded.
    var isOff: Bool { columns.isEmpty }

    /// The current time of the log.
    var time: Int { isOff ? 0 : state.withLock { $0.time } }

    /// Returns the view of a new context.
    func newView() -> View {
        if isOff { return View(reader: 0, time: 0) }
        return state.withLock { state in
            state.readerCount += 1
            return View(reader: state.readerCount, time: state.time)
        }
    }

    /// Returns the counterparts that a save assigns.
    func counterparts(in changes: ChangeSet) -> [CounterpartKey] {
        var counterparts: [CounterpartKey] = []
        for (entity, columns) in columns {
            guard let changes = changes.entities[entity] else { continue }
            for column in columns {
                let updates = changes.updates.filter { $0.changedColumns.contains(column) }
                func note(_ value: StoredValue) {
                    guard case .integer(let target) = value else { return }
                    counterparts.append(CounterpartKey(entity: entity, column: column, target: target))
                }
                for row in changes.insertions { note(row.values[column]) }
                for update in updates { note(update.values[column]) }
            }
        }
        return counterparts
    }

    /// Records the counterparts that a context assigned in a save.
    func note(_ counterparts: [CounterpartKey], by reader: Int) {
        if counterparts.isEmpty { return }
        state.withLock { state in
            state.time += 1
            for key in counterparts { state.given[key] = (state.time, reader) }
            guard state.given.count > Self.maximumCount else { return }
            state.given = [:]
            state.anyTime = state.time
        }
    }

    /// Records a change without objects.
    ///
    /// The assigned counterparts are unknown, so all counterparts of the changed entities count as assigned.
    func note(_ change: StoreChange) {
        let entities = columns.keys.filter { entity in
            change.entities[entity].map { !$0.inserted.isEmpty || !$0.updated.isEmpty } ?? false
        }
        if entities.isEmpty { return }
        state.withLock { state in
            state.time += 1
            for entity in entities { state.anyTimes[entity] = state.time }
        }
    }

    /// Returns a Boolean value that indicates whether another reader may have assigned a counterpart after a time.
    func wasReassigned(_ key: CounterpartKey, after time: Int, unknownTo reader: Int) -> Bool {
        state.withLock { state in
            if let given = state.given[key], given.time > max(state.anyTime, state.anyTimes[key.entity] ?? 0) {
                return given.time > time && given.reader != reader
            }
            return max(state.anyTime, state.anyTimes[key.entity] ?? 0) > time
        }
    }
}

extension ColumnDescription {
    /// A Boolean value that indicates whether the column is that of a one-to-one relationship.
    ///
    /// No two rows have the same value in such a column.
    var isExclusive: Bool { destination != nil && isUnique }
}
