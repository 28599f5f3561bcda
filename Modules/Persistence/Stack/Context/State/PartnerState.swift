import StrataCore

/// Which objects were given a partner in a one-to-one relationship since that was settled last.
///
/// A value without input or output: the context takes the partner away from whom only the store knows to have it.
struct PartnerState {
    /// So many changes are kept before it is looked which are outdated.
    private static let leastLimit = 1024

    private(set) var changes: [PartnerChange] = []
    /// With how many of them the outdated ones are taken out.
    private var limit = PartnerState.leastLimit

    var isEmpty: Bool { changes.isEmpty }

    /// Notes who has a partner now: the latest counts, and is all that is kept.
    mutating func note(_ change: PartnerChange) {
        if let last = changes.last, last == change { return }
        changes.append(change)
        guard changes.count >= limit else { return }
        var seen: Set<PartnerChange.Key> = []
        changes = Array(changes.reversed().filter { seen.insert($0.key).inserted }.reversed())
        limit = max(Self.leastLimit, 2 * changes.count)
    }

    /// Takes all changes, to settle them.
    mutating func take() -> [PartnerChange] {
        defer { changes = [] }
        return changes
    }

    /// Puts changes back that could not be settled, before those that came since.
    mutating func putBack(_ unsettled: [PartnerChange]) { changes = unsettled + changes }

    mutating func clear() { changes = [] }
}

/// An object that took another's partner in a one-to-one relationship.
struct PartnerChange {
    /// Which partner, by entity and column of those who may have it.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let target: Int64
    }

    let object: ManagedObject
    let column: Int
    let target: Int64

    var key: Key { Key(entity: object.entityName, column: column, target: target) }

    /// Whether the object still has the partner.
    var isValid: Bool { !object.isGone && object.value(at: column) == .integer(target) }

    static func == (left: PartnerChange, right: PartnerChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
