import StrataCore

/// The objects that received a one-to-one counterpart since the last resolution.
///
/// A resolution removes the counterparts from their previous owners. This value only stores the objects; the context
/// reads and changes previous owners that are only in the store.
struct CounterpartState {
    /// The minimum number of stored changes at which outdated changes are removed.
    private static let leastLimit = 1024

    /// An object that received a counterpart, with the column of the one-to-one relationship.
    private struct Claimant: Hashable {
        let entity: String
        let id: Int64
        let column: Int
    }

    private(set) var changes: [CounterpartChange] = []
    /// The counterpart of each claimant, and the time of the counterpart log up to which the context knew the
    /// counterpart's owner.
    ///
    /// The time is that of the assignment of the counterpart. It does not change with later writes to the claimant or
    /// repeated resolutions, until the claimant is saved.
    private var claims: [Claimant: (target: Int64, time: Int)] = [:]
    /// The number of stored changes at which the outdated ones are removed.
    private var limit = CounterpartState.leastLimit

    var isEmpty: Bool { changes.isEmpty }

    /// Records that an object received a counterpart; for each counterpart, only the latest owner is relevant.
    mutating func note(_ change: CounterpartChange) {
        var change = change
        let claimant = Claimant(entity: change.object.entityName, id: change.object.rawID, column: change.column)
        if let claim = claims[claimant], claim.target == change.target {
            change.knownAt = claim.time
        } else {
            claims[claimant] = (change.target, change.knownAt)
        }
        if let last = changes.last, last == change { return }
        changes.append(change)
        guard changes.count >= limit else { return }
        var seen: Set<CounterpartKey> = []
        changes = Array(changes.reversed().filter { seen.insert($0.key).inserted }.reversed())
        limit = max(Self.leastLimit, 2 * changes.count)
    }

    /// Removes the counterpart of an object that has none any more, or that has the counterpart of its row again.
    ///
    /// If the object receives a counterpart later, the time of that later assignment is recorded.
    mutating func forget(_ object: ManagedObject, column: Int) {
        guard !claims.isEmpty else { return }
        claims[Claimant(entity: object.entityName, id: object.rawID, column: column)] = nil
    }

    /// Sets the time up to which the context knows the owners of counterparts, for all objects that received one.
    mutating func know(at time: Int) {
        claims = claims.mapValues { ($0.target, time) }
        for index in changes.indices { changes[index].knownAt = time }
    }

    /// Removes and returns all changes, which the caller must resolve.
    mutating func take() -> [CounterpartChange] {
        defer { changes = [] }
        return changes
    }

    /// Restores changes that could not be resolved; they precede the changes that were added since.
    mutating func restore(_ unsettled: [CounterpartChange]) { changes = unsettled + changes }

    /// Removes all changes, after a save or a rollback.
    mutating func clear() { (changes, claims) = ([], [:]) }
}

/// An assignment of a one-to-one counterpart to an object; another object may have the counterpart too.
struct CounterpartChange {
    let object: ManagedObject
    let column: Int
    let target: Int64
    /// The time of the ``CounterpartLog`` up to which the context knew the owner of the counterpart.
    var knownAt = 0

    /// The key of the counterpart in the ``CounterpartLog``.
    var key: CounterpartKey { CounterpartKey(entity: object.entityName, column: column, target: target) }

    /// A Boolean value that indicates whether the object still has the counterpart.
    var isValid: Bool { !object.isDeletedOrDetached && object.typed.value(at: column) == .integer(target) }

    static func == (left: CounterpartChange, right: CounterpartChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
