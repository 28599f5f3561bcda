import StrataCore

/// Who may have which partner in a one-to-one relationship: the other side is the target, in a column of the entity.
struct PartnerKey: Hashable {
    let entity: String
    let column: Int
    let target: Int64
}

/// When partners of one-to-one relationships were given away, so that a context learns whether somebody else took one since it began to read.
///
/// Whoever has a partner is a row that the taker's context need never have read; its version then tells nothing. Kept is what goes through one
/// coordinator: of another process's saves a context learns by the rows that it has read itself.
final class PartnerLog: Sendable {
    /// Beyond so many partners the log begins anew; who began to read before is told that any may have been taken.
    private static let maximumCount = 10_000

    /// Until when a context knows what was saved.
    struct View: Sendable {
        /// The context: what it saved itself is no news to it.
        let reader: Int
        /// The log's time when the context began to read what it has.
        var time: Int
    }

    private struct State {
        /// Counts what is noted.
        var time = 0
        var readerCount = 0
        var given: [PartnerKey: (time: Int, reader: Int)] = [:]
        /// When any partner may have been given away.
        var anyTime = 0
        /// The same for an entity's.
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

    /// Whether the model has no one-to-one relationship, so that there is nothing to note.
    var isOff: Bool { columns.isEmpty }

    /// What has been noted so far.
    var time: Int { isOff ? 0 : state.withLock { $0.time } }

    /// What a new context knows.
    func newView() -> View {
        if isOff { return View(reader: 0, time: 0) }
        return state.withLock { state in
            state.readerCount += 1
            return View(reader: state.readerCount, time: state.time)
        }
    }

    /// The partners that a save gives away.
    func partners(in changes: ChangeSet) -> [PartnerKey] {
        var partners: [PartnerKey] = []
        for (entity, columns) in columns {
            guard let changes = changes.entities[entity] else { continue }
            for column in columns {
                let updates = changes.updates.filter { $0.changedColumns.contains(column) }
                func note(_ value: StoredValue) {
                    guard case .integer(let target) = value else { return }
                    partners.append(PartnerKey(entity: entity, column: column, target: target))
                }
                for row in changes.insertions { note(row.values[column]) }
                for update in updates { note(update.values[column]) }
            }
        }
        return partners
    }

    /// Notes what a context saved.
    func note(_ partners: [PartnerKey], by reader: Int) {
        if partners.isEmpty { return }
        state.withLock { state in
            state.time += 1
            for key in partners { state.given[key] = (state.time, reader) }
            guard state.given.count > Self.maximumCount else { return }
            state.given = [:]
            state.anyTime = state.time
        }
    }

    /// Notes what was changed without objects: nobody says which partners were given away.
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

    /// Whether somebody but `reader` may have given a partner away after a time.
    func wasGiven(_ key: PartnerKey, after time: Int, unknownTo reader: Int) -> Bool {
        state.withLock { state in
            if let given = state.given[key], given.time > max(state.anyTime, state.anyTimes[key.entity] ?? 0) {
                return given.time > time && given.reader != reader
            }
            return max(state.anyTime, state.anyTimes[key.entity] ?? 0) > time
        }
    }
}

extension ColumnDescription {
    /// Whether the column is that of a one-to-one relationship: no two rows have the same in it.
    var isExclusive: Bool { destination != nil && isUnique }
}
