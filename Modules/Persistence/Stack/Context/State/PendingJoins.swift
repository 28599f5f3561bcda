import StrataCore

/// What a context changed of one many-to-many relationship and did not save yet: pairs that come and pairs that go.
struct PendingJoins {
    let join: JoinDescription
    private(set) var added: [JoinPair: JoinRow] = [:]
    private(set) var removed: Set<JoinPair> = []
    /// The new pairs by either end: one owner's are looked for again and again while many are made.
    private var bySource: [Int64: Set<JoinPair>] = [:]
    private var byTarget: [Int64: Set<JoinPair>] = [:]

    init(_ join: JoinDescription) {
        self.join = join
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    mutating func add(_ row: JoinRow) {
        let row = join.kept(row)
        // Whether the store has the pair that was removed is not known here, so it is added in any case.
        removed.remove(row.pair)
        var merged = row
        if let known = added[row.pair] {
            merged.sourcePosition = row.sourcePosition ?? known.sourcePosition
            merged.targetPosition = row.targetPosition ?? known.targetPosition
        }
        if added.updateValue(merged, forKey: row.pair) == nil {
            bySource[row.pair.source, default: []].insert(row.pair)
            byTarget[row.pair.target, default: []].insert(row.pair)
        }
    }

    private mutating func removeAdded(_ pair: JoinPair) {
        guard added.removeValue(forKey: pair) != nil else { return }
        bySource[pair.source]?.remove(pair)
        byTarget[pair.target]?.remove(pair)
    }

    /// The new pairs of some objects on one side, on either of a symmetric join table, each once; of all without identifiers.
    func added(of ids: [Int64]?, on side: JoinRequest.Side) -> [JoinRow] {
        guard let ids else { return Array(added.values) }
        var pairs: Set<JoinPair> = []
        for id in Set(ids) {
            if side == .source || join.isSymmetric { pairs.formUnion(bySource[id] ?? []) }
            if side == .target || join.isSymmetric { pairs.formUnion(byTarget[id] ?? []) }
        }
        return pairs.compactMap { added[$0] }
    }

    mutating func remove(_ pair: JoinPair) {
        let pair = join.kept(pair)
        removeAdded(pair)
        // Whether the store has it is not known here, and a store takes it either way.
        removed.insert(pair)
    }

    /// Forgets the new pairs of an object whose identifier another one gets.
    mutating func forget(_ entity: String, _ id: Int64) {
        if join.sourceEntity == entity { for pair in bySource[id] ?? [] { removeAdded(pair) } }
        if join.targetEntity == entity { for pair in byTarget[id] ?? [] { removeAdded(pair) } }
    }

    /// Takes out the new pairs of objects that are no more; whoever has their places is to get them.
    mutating func take(of entity: String, _ ids: some Sequence<Int64>) -> [JoinRow] {
        var rows: [JoinRow] = []
        for id in ids {
            var pairs: Set<JoinPair> = []
            if join.sourceEntity == entity { pairs.formUnion(bySource[id] ?? []) }
            if join.targetEntity == entity { pairs.formUnion(byTarget[id] ?? []) }
            for pair in pairs {
                if let row = added[pair] { rows.append(row) }
                removeAdded(pair)
            }
        }
        return rows
    }

    /// Whether a save would write anything.
    func hasChanges(isGone: (_ entity: String, _ id: Int64) -> Bool) -> Bool {
        func stays(_ pair: JoinPair) -> Bool {
            !isGone(join.sourceEntity, pair.source) && !isGone(join.targetEntity, pair.target)
        }
        return removed.contains(where: stays) || added.keys.contains(where: stays)
    }

    /// The changes as a store takes them, without the pairs of objects that go in the same save.
    func changes(isGone: (_ entity: String, _ id: Int64) -> Bool) -> JoinChanges {
        func stays(_ pair: JoinPair) -> Bool {
            !isGone(join.sourceEntity, pair.source) && !isGone(join.targetEntity, pair.target)
        }
        var changes = JoinChanges()
        changes.removed = removed.filter(stays).sorted { ($0.source, $0.target) < ($1.source, $1.target) }
        changes.added = added.values.filter { stays($0.pair) }
            .sorted { ($0.pair.source, $0.pair.target) < ($1.pair.source, $1.pair.target) }
        return changes
    }
}
