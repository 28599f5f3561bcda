/// What a context changed of one many-to-many relationship and did not save yet: pairs that come and pairs that go.
struct PendingLinks {
    let link: LinkDescription
    private(set) var added: [Link: LinkRow] = [:]
    private(set) var removed: Set<Link> = []

    init(_ link: LinkDescription) {
        self.link = link
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    mutating func add(_ row: LinkRow) {
        let row = link.kept(row)
        // Whether the store has the pair that was removed is not known here, so it is added in any case.
        removed.remove(row.link)
        var merged = row
        if let known = added[row.link] {
            merged.sourcePosition = row.sourcePosition ?? known.sourcePosition
            merged.targetPosition = row.targetPosition ?? known.targetPosition
        }
        added[row.link] = merged
    }

    mutating func remove(_ pair: Link) {
        let pair = link.kept(pair)
        added[pair] = nil
        // Whether the store has it is not known here, and a store takes it either way.
        removed.insert(pair)
    }

    /// Forgets the new pairs of an object whose identifier another one gets.
    mutating func forget(_ entity: String, _ id: Int64) {
        added = added.filter { pair, _ in
            !(link.sourceEntity == entity && pair.source == id) && !(link.targetEntity == entity && pair.target == id)
        }
    }

    /// Gives the pairs of an object that is no more to the one that has its place.
    mutating func redirect(_ entity: String, from old: Int64, to new: Int64) {
        for row in added.values {
            var moved = row
            if link.sourceEntity == entity, row.link.source == old { moved.link.source = new }
            if link.targetEntity == entity, row.link.target == old { moved.link.target = new }
            guard moved != row else { continue }
            added[row.link] = nil
            add(moved)
        }
    }

    /// Whether a save would write anything.
    func hasChanges(isGone: (_ entity: String, _ id: Int64) -> Bool) -> Bool {
        func stays(_ pair: Link) -> Bool {
            !isGone(link.sourceEntity, pair.source) && !isGone(link.targetEntity, pair.target)
        }
        return removed.contains(where: stays) || added.keys.contains(where: stays)
    }

    /// The changes as a store takes them, without the pairs of objects that go in the same save.
    func changes(isGone: (_ entity: String, _ id: Int64) -> Bool) -> LinkChanges {
        func stays(_ pair: Link) -> Bool {
            !isGone(link.sourceEntity, pair.source) && !isGone(link.targetEntity, pair.target)
        }
        var changes = LinkChanges()
        changes.removed = removed.filter(stays).sorted { ($0.source, $0.target) < ($1.source, $1.target) }
        changes.added = added.values.filter { stays($0.link) }
            .sorted { ($0.link.source, $0.link.target) < ($1.link.source, $1.link.target) }
        return changes
    }
}

/// One pair of a relationship, seen from its owner.
struct RelatedPair {
    var owner: Int64
    var other: Int64
    /// The other's place among the owner's, where the relationship is ordered.
    var position: Int64?
    /// The owner's place among the other's, where that side is ordered.
    var otherPosition: Int64?

    init(_ row: LinkRow, ownerIsSource: Bool) {
        owner = ownerIsSource ? row.link.source : row.link.target
        other = ownerIsSource ? row.link.target : row.link.source
        position = ownerIsSource ? row.sourcePosition : row.targetPosition
        otherPosition = ownerIsSource ? row.targetPosition : row.sourcePosition
    }

    /// By owner, then by position, null first, then by the other's identifier: as stores order them.
    static func precedes(_ left: RelatedPair, _ right: RelatedPair) -> Bool {
        if left.owner != right.owner { return left.owner < right.owner }
        let positions = (left.position ?? Int64.min, right.position ?? Int64.min)
        return positions.0 != positions.1 ? positions.0 < positions.1 : left.other < right.other
    }
}
