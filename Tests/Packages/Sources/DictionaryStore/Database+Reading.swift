import StrataCore
import StrataStoreKit

extension Database {
    /// Returns the rows that a request selects, in its order.
    func select(_ request: ResolvedRequest) throws -> [StoredRow] {
        let rows = tables[request.entity.name]?.rows.values.sorted { $0.id < $1.id } ?? []
        let evaluation = Evaluation(database: self)
        var selected: [(row: StoredRow, keys: [StoredValue])] = []
        for row in rows {
            guard try request.condition.map({ try evaluation.holds($0, for: row) }) ?? true else { continue }
            selected.append((row, try request.sort.map { try evaluation.value(of: $0.operand, for: row) }))
        }
        selected.sort { left, right in
            for (index, key) in request.sort.enumerated() where left.keys[index] != right.keys[index] {
                return (left.keys[index] < right.keys[index]) != key.isDescending
            }
            return left.row.id < right.row.id
        }
        return request.window(selected.map(\.row))
    }

    /// Returns the join rows that a request selects, ordered by owner, by position with null first, and by target.
    func select(_ request: ResolvedJoinRequest) -> [JoinRow] {
        let join = request.join
        let kept = pairs[join.name].map { Array($0.values) } ?? []
        let rows =
            join.isSymmetric
            ? kept + kept.filter { $0.pair.source != $0.pair.target }.map { JoinRow(reversed($0.pair)) } : kept
        let isBySource = join.isSymmetric || request.side == .source
        func key(_ row: JoinRow) -> (owner: Int64, hasPlace: Int, place: Int64, other: Int64) {
            let place = isBySource ? row.sourcePosition : row.targetPosition
            let (owner, other) = isBySource ? (row.pair.source, row.pair.target) : (row.pair.target, row.pair.source)
            return (owner, place == nil ? 0 : 1, place ?? 0, other)
        }
        let wanted = request.ids.map(Set.init)
        return rows.filter { wanted?.contains(key($0).owner) ?? true }.sorted { key($0) < key($1) }
    }

    private func reversed(_ pair: JoinPair) -> JoinPair { JoinPair(source: pair.target, target: pair.source) }
}
