import StrataCore
import StrataStoreKit

/// An identification of a one-to-one counterpart: the column that references it, the column's entity, and the
/// counterpart's identifier.
struct CounterpartKey: Hashable {
    let entity: String
    let column: Int
    let target: Int64
}

/// A log of the counterparts that saves assigned in one-to-one relationships.
///
/// A one-to-one counterpart may have only one owner. A context may assign a counterpart without having read the row of
/// the counterpart's current owner, so that row versions do not reveal a conflict. The log therefore records the time
/// at which each counterpart was assigned. With it, a context detects assignments by other contexts after it began to
/// read.
///
/// The log contains only saves through one coordinator. A context detects a save of another process only if it has read
/// the changed row.
final class CounterpartLog: Sendable {
    /// The maximum number of counterparts in the log.
    ///
    /// If the maximum is exceeded, the log is cleared. Contexts that began to read before then assume that any
    /// counterpart may have been assigned.
    private static let maximumCount = 10_000

    /// The time of the log up to which a context knows the saved changes.
    struct View: Sendable {
        /// The number of the context, which always knows the changes that it saved.
        let reader: Int
        /// The time of the log at which the context began to read its current data.
        var time: Int
    }

    private struct State {
        /// The number of recorded saves, which is the current time of the log.
        var time = 0
        var readerCount = 0
        var given: [CounterpartKey: (time: Int, reader: Int)] = [:]
        /// The latest time at which any counterpart of any entity may have been assigned.
        var anyTime = 0
        /// For each entity, the latest time at which any of its counterparts may have been assigned.
        var anyTimes: [String: Int] = [:]
    }

    /// The indexes of the columns of one-to-one relationships, by entity name.
    private let columns: [String: [Int]]
    private let state = Guarded(State())

    init(_ model: ManagedObjectModel) {
        columns = model.entities.reduce(into: [:]) { columns, entity in
            let exclusive = entity.columns.indices.filter { entity.columns[$0].isExclusive }
            if !exclusive.isEmpty { columns[entity.name] = exclusive }
        }
    }

    /// A Boolean value that indicates whether nothing is recorded, because the model has no one-to-one relationship.
    var isOff: Bool { columns.isEmpty }

    /// The current time of the log.
    var time: Int { isOff ? 0 : state.withLock { $0.time } }

    /// Returns a view for a new context, which begins at the current time.
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

    /// Records a change that does not contain the assigned counterparts.
    ///
    /// All counterparts of the changed entities therefore count as assigned.
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

    /// Returns a Boolean value that indicates whether a context other than `reader` may have assigned a counterpart
    /// after a time.
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
    /// In such a column, no two rows have the same value.
    var isExclusive: Bool { destination != nil && isUnique }
}
