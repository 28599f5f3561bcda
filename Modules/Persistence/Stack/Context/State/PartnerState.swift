import StrataCore

/// Which objects were given a partner in a one-to-one relationship since that was settled last.
///
/// A value without input or output: the context takes the partner away from whom only the store knows to have it.
struct PartnerState {
    /// So many changes are kept before it is looked which are outdated.
    private static let leastLimit = 1024

    /// Who takes a partner.
    private struct Taker: Hashable {
        let entity: String
        let id: Int64
        let column: Int
    }

    private(set) var changes: [PartnerChange] = []
    /// Since when each taker's context knows who has the partner: that stays as it was when the partner was taken, whatever is written to the taker
    /// later and however often it is settled, until it is saved.
    private var claims: [Taker: (target: Int64, time: Int)] = [:]
    /// With how many of them the outdated ones are taken out.
    private var limit = PartnerState.leastLimit

    var isEmpty: Bool { changes.isEmpty }

    /// Notes who has a partner now: the latest counts, and is all that is kept.
    mutating func note(_ change: PartnerChange) {
        var change = change
        let taker = Taker(entity: change.object.entityName, id: change.object.rawID, column: change.column)
        if let claim = claims[taker], claim.target == change.target {
            change.knownAt = claim.time
        } else {
            claims[taker] = (change.target, change.knownAt)
        }
        if let last = changes.last, last == change { return }
        changes.append(change)
        guard changes.count >= limit else { return }
        var seen: Set<PartnerKey> = []
        changes = Array(changes.reversed().filter { seen.insert($0.key).inserted }.reversed())
        limit = max(Self.leastLimit, 2 * changes.count)
    }

    /// Notes that an object has no partner, or that of its row: if it takes one later, it takes it anew.
    mutating func forget(_ object: ManagedObject, column: Int) {
        guard !claims.isEmpty else { return }
        claims[Taker(entity: object.entityName, id: object.rawID, column: column)] = nil
    }

    /// Whoever has taken a partner knows at a time who had it.
    mutating func know(at time: Int) {
        claims = claims.mapValues { ($0.target, time) }
        for index in changes.indices { changes[index].knownAt = time }
    }

    /// Takes all changes, to settle them.
    mutating func take() -> [PartnerChange] {
        defer { changes = [] }
        return changes
    }

    /// Puts changes back that could not be settled, before those that came since.
    mutating func putBack(_ unsettled: [PartnerChange]) { changes = unsettled + changes }

    /// After a save or a rollback: nobody has a partner that was not saved.
    mutating func clear() { (changes, claims) = ([], [:]) }
}

/// An object that took another's partner in a one-to-one relationship.
struct PartnerChange {
    let object: ManagedObject
    let column: Int
    let target: Int64
    /// The time of the ``PartnerLog`` until which the context knew who has the partner.
    var knownAt = 0

    /// Which partner.
    var key: PartnerKey { PartnerKey(entity: object.entityName, column: column, target: target) }

    /// Whether the object still has the partner.
    var isValid: Bool { !object.isGone && object.typed.value(at: column) == .integer(target) }

    static func == (left: PartnerChange, right: PartnerChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
