import StrataCore
import StrataStoreKit

/// The join rows of one join table, found by the identifiers at either end.
///
/// Each join row is stored once under its source and once under its target. A symmetric join table stores a join row in
/// one direction only; callers convert join rows with `JoinDescription.kept(_:)` before they look them up.
struct InMemoryJoinTable: Sendable {
    private struct Positions: Sendable {
        var source: Int64?
        var target: Int64?
    }

    let join: JoinDescription
    /// A number that increases with every change of a join row.
    private(set) var edition = 0
    /// The positions of the join rows, by source and then by target.
    private var bySource: [Int64: [Int64: Positions]] = [:]
    /// The sources of the join rows, by target.
    private var sources: [Int64: Set<Int64>] = [:]

    init(_ join: JoinDescription) {
        self.join = join
    }

    /// Adds a join row, or replaces the positions of an equal one.
    mutating func add(_ row: JoinRow) {
        let row = join.kept(row)
        edition += 1
        bySource[row.pair.source, default: [:]][row.pair.target] =
            Positions(source: row.sourcePosition, target: row.targetPosition)
        sources[row.pair.target, default: []].insert(row.pair.source)
    }

    /// Returns a Boolean value that indicates whether the table contains a join row in its stored form.
    func contains(_ pair: JoinPair) -> Bool { bySource[pair.source]?[pair.target] != nil }

    /// Removes a join row; does nothing if the table does not contain it.
    mutating func remove(_ pair: JoinPair) {
        let pair = join.kept(pair)
        guard bySource[pair.source]?.removeValue(forKey: pair.target) != nil else { return }
        edition += 1
        if bySource[pair.source]?.isEmpty == true { bySource[pair.source] = nil }
        sources[pair.target]?.remove(pair.source)
        if sources[pair.target]?.isEmpty == true { sources[pair.target] = nil }
    }

    /// Removes all join rows that have an identifier as their source or, if `isSource` is `false`, as their target.
    mutating func removeAll(of id: Int64, isSource: Bool) {
        if isSource {
            for target in Array(bySource[id, default: [:]].keys) { remove(JoinPair(source: id, target: target)) }
        } else {
            for source in Array(sources[id, default: []]) { remove(JoinPair(source: source, target: id)) }
        }
    }

    /// Removes the join rows of a row that is deleted.
    mutating func remove(_ id: Int64, of entity: String) {
        if entity == join.sourceEntity {
            for target in bySource[id, default: [:]].keys { remove(JoinPair(source: id, target: target)) }
        }
        if entity == join.targetEntity {
            for source in sources[id, default: []] { remove(JoinPair(source: source, target: id)) }
        }
    }

    /// The count of join rows in the table.
    var count: Int { bySource.values.reduce(0) { $0 + $1.count } }

    /// All join rows in their stored form, in no particular order.
    var rows: [JoinRow] {
        bySource.flatMap { source, targets in
            targets.map { target, positions in
                JoinRow(
                    JoinPair(source: source, target: target), sourcePosition: positions.source,
                    targetPosition: positions.target)
            }
        }
    }

    /// Returns the join rows that a request selects, in its order.
    func select(_ request: ResolvedJoinRequest) -> [JoinRow] {
        let found: [JoinRow]
        if let ids = request.ids {
            found = Set(ids).flatMap { rows(of: $0, side: request.side) }
        } else if join.isSymmetric {
            found = Set(bySource.keys).union(sources.keys).flatMap { rows(of: $0, side: request.side) }
        } else {
            found = rows
        }
        let isBySource = request.side == .source || join.isSymmetric
        return found.sorted { $0.precedes($1, bySource: isBySource) }
    }

    /// Returns the identifiers at the other ends of an object's join rows, in no particular order.
    ///
    /// - Parameters:
    ///   - id: The object's identifier.
    ///   - isSource: A Boolean value that indicates whether the object is the source; ignored for a symmetric join
    ///     table.
    /// - Returns: The identifiers; if an object is related to itself, they contain its own one, perhaps twice.
    func others(of id: Int64, isSource: Bool) -> [Int64] {
        let targets = isSource || join.isSymmetric ? bySource[id].map { Array($0.keys) } ?? [] : []
        let sources = !isSource || join.isSymmetric ? sources[id].map { Array($0) } ?? [] : []
        return targets + sources
    }

    /// Returns the join rows of an object at their source or target, in stored form and unspecified order.
    func kept(of id: Int64, isSource: Bool) -> [JoinRow] {
        func row(_ source: Int64, _ target: Int64) -> JoinRow {
            let positions = bySource[source]?[target]
            return JoinRow(
                JoinPair(source: source, target: target), sourcePosition: positions?.source,
                targetPosition: positions?.target)
        }
        let targets = isSource || join.isSymmetric ? bySource[id, default: [:]].keys.map { row(id, $0) } : []
        let sources = !isSource || join.isSymmetric ? sources[id, default: []].map { row($0, id) } : []
        return targets + sources
    }

    private func rows(of owner: Int64, side: JoinRequest.Side) -> [JoinRow] {
        func row(_ source: Int64, _ target: Int64) -> JoinRow {
            let positions = bySource[source]?[target]
            return JoinRow(
                JoinPair(source: source, target: target), sourcePosition: positions?.source,
                targetPosition: positions?.target)
        }
        let targets = bySource[owner, default: [:]].keys.map { row(owner, $0) }
        let sources = sources[owner, default: []].map { row($0, owner) }
        guard join.isSymmetric else { return side == .source ? targets : sources }
        // A join row of an object with itself is in both.
        return targets
            + sources.filter { $0.pair.source != owner }.map {
                JoinRow(JoinPair(source: owner, target: $0.pair.source))
            }
    }
}

extension JoinRow {
    /// Returns a Boolean value that indicates whether the join row precedes another one.
    ///
    /// The order is by owner, then by position with null first, then by the other end.
    fileprivate func precedes(_ other: JoinRow, bySource: Bool) -> Bool {
        func key(_ row: JoinRow) -> (Int64, Int, Int64, Int64) {
            let position = bySource ? row.sourcePosition : row.targetPosition
            let (owner, end) =
                bySource ? (row.pair.source, row.pair.target) : (row.pair.target, row.pair.source)
            return (owner, position == nil ? 0 : 1, position ?? 0, end)
        }
        return key(self) < key(other)
    }
}
