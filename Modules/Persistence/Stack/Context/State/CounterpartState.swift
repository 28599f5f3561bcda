import StrataCore

/// The objects that took a counterpart in a one-to-one relationship since the last resolution.
///
/// The value performs no input or output. The context removes the counterpart from objects that only the store knows as
/// its holders.
struct CounterpartState {
    /// The minimum number of changes at which outdated ones are removed.
    private static let leastLimit = 1024

    /// An object that takes a counterpart, with the column of the relationship.
    private struct Claimant: Hashable {
        let entity: String
        let id: Int64
        let column: Int
    }

    private(set) var changes: [CounterpartChange] = []
    /// The counterpart of each claimant, and the time until which the context knew the holder.
    ///
    /// The time is that of the moment when the counterpart was taken. Later writes to the claimant and repeated
    /// resolutions do not change it, until the claimant is saved.
    private var claims: [Claimant: (target: Int64, time: Int)] = [:]
    /// The number of changes at which the outdated ones are removed.
    private var limit = CounterpartState.leastLimit

    var isEmpty: Bool { changes.isEmpty }

    /// Notes that an object has a counterpart now; only the latest holder of a counterpart counts.
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

    /// Forgets the counterpart of an object that has none, or that has the one of its row again.
    ///
    /// If the object takes a counterpart later, that is a new claim.
    mutating func forget(_ object: ManagedObject, column: Int) {
        guard !claims.isEmpty else { return }
        claims[Claimant(entity: object.entityName, id: object.rawID, column: column)] = nil
    }

    /// Sets the time until which the context knew the holders, for all objects that took a counterpart.
    mutating func know(at time: Int) {
        claims = claims.mapValues { ($0.target, time) }
        for index in changes.indices { changes[index].knownAt = time }
    }

    /// Removes and returns all changes, so that the caller resolves them.
    mutating func take() -> [CounterpartChange] {
        defer { changes = [] }
        return changes
    }

    /// Restores changes that could not be resolved, before those that were added since.
    mutating func restore(_ unsettled: [CounterpartChange]) { changes = unsettled + changes }

    /// Forgets all changes, after a save or a rollback.
    mutating func clear() { (changes, claims) = ([], [:]) }
}

/// An object that took a counterpart from another object in a one-to-one relationship.
struct CounterpartChange {
    let object: ManagedObject
    let column: Int
    let target: Int64
    /// The time of the ``CounterpartLog`` until which the context knew the holder of the counterpart.
    var knownAt = 0

    /// The key of the counterpart.
    var key: CounterpartKey { CounterpartKey(entity: object.entityName, column: column, target: target) }

    /// A Boolean value that indicates whether the object still has the counterpart.
    var isValid: Bool { !object.isDeletedOrDetached && object.typed.value(at: column) == .integer(target) }

    static func == (left: CounterpartChange, right: CounterpartChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
