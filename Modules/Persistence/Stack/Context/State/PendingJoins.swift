import StrataCore
import StrataStoreKit

/// The unsaved join rows of one many-to-many relationship: added join rows and removed join rows.
struct PendingJoins {
    let join: JoinDescription
    private(set) var added: [JoinPair: JoinRow] = [:]
    private(set) var removed: Set<JoinPair> = []
    /// The added join rows by the identifier of either end, because a loop that adds join rows repeatedly looks up
    /// those of one owner.
    private var bySource: [Int64: Set<JoinPair>] = [:]
    private var byTarget: [Int64: Set<JoinPair>] = [:]

    init(_ join: JoinDescription) {
        self.join = join
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    mutating func add(_ row: JoinRow) {
        let row = join.kept(row)
        // This code does not know whether the store has the removed join row, so the row is added in any case.
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

    /// Returns the added join rows of the objects with given identifiers on one side; if `ids` is `nil`, of all
    /// objects.
    ///
    /// For a symmetric join table, the result contains the join rows of both sides, each join row once.
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
        // This code does not know whether the store has the join row; the store accepts both cases.
        removed.insert(pair)
    }

    /// Removes the added join rows of an object, because another object receives its identifier.
    mutating func forget(_ entity: String, _ id: Int64) {
        if join.sourceEntity == entity { for pair in bySource[id] ?? [] { removeAdded(pair) } }
        if join.targetEntity == entity { for pair in byTarget[id] ?? [] { removeAdded(pair) } }
    }

    /// Removes and returns the added join rows of merged objects, so that the caller can redirect them.
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

    /// Returns a Boolean value that indicates whether a save would write any join row.
    func hasChanges(isDeleted: (_ entity: String, _ id: Int64) -> Bool) -> Bool {
        func stays(_ pair: JoinPair) -> Bool {
            !isDeleted(join.sourceEntity, pair.source) && !isDeleted(join.targetEntity, pair.target)
        }
        return removed.contains(where: stays) || added.keys.contains(where: stays)
    }

    /// Returns the join rows that the store must add and remove, without those of objects that the same save deletes.
    func changes(isDeleted: (_ entity: String, _ id: Int64) -> Bool) -> JoinChanges {
        func stays(_ pair: JoinPair) -> Bool {
            !isDeleted(join.sourceEntity, pair.source) && !isDeleted(join.targetEntity, pair.target)
        }
        var changes = JoinChanges()
        changes.removed = removed.filter(stays).sorted { ($0.source, $0.target) < ($1.source, $1.target) }
        changes.added = added.values.filter { stays($0.pair) }
            .sorted { ($0.pair.source, $0.pair.target) < ($1.pair.source, $1.pair.target) }
        return changes
    }
}
