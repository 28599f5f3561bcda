/// The pairs of one link, found from either end.
struct InMemoryLinkTable: Sendable {
    private struct Positions: Sendable {
        var source: Int64?
        var target: Int64?
    }

    let link: LinkDescription
    private var bySource: [Int64: [Int64: Positions]] = [:]
    private var sources: [Int64: Set<Int64>] = [:]

    init(_ link: LinkDescription) {
        self.link = link
    }

    mutating func add(_ row: LinkRow) {
        let row = link.kept(row)
        bySource[row.link.source, default: [:]][row.link.target] =
            Positions(source: row.sourcePosition, target: row.targetPosition)
        sources[row.link.target, default: []].insert(row.link.source)
    }

    /// Whether a pair, as it is kept, is there.
    func contains(_ pair: JoinPair) -> Bool { bySource[pair.source]?[pair.target] != nil }

    mutating func remove(_ pair: JoinPair) {
        let pair = link.kept(pair)
        guard bySource[pair.source]?.removeValue(forKey: pair.target) != nil else { return }
        if bySource[pair.source]?.isEmpty == true { bySource[pair.source] = nil }
        sources[pair.target]?.remove(pair.source)
        if sources[pair.target]?.isEmpty == true { sources[pair.target] = nil }
    }

    /// Removes the pairs of a row that is deleted.
    mutating func remove(_ id: Int64, of entity: String) {
        if entity == link.sourceEntity {
            for target in bySource[id, default: [:]].keys { remove(JoinPair(source: id, target: target)) }
        }
        if entity == link.targetEntity {
            for source in sources[id, default: []] { remove(JoinPair(source: source, target: id)) }
        }
    }

    /// Every pair as it is kept, in no order.
    var rows: [LinkRow] {
        bySource.flatMap { source, targets in
            targets.map { target, positions in
                LinkRow(
                    JoinPair(source: source, target: target), sourcePosition: positions.source,
                    targetPosition: positions.target)
            }
        }
    }

    /// The pairs a request asks for, in its order.
    func select(_ request: LinkRequest) -> [LinkRow] {
        let found: [LinkRow]
        if let ids = request.ids {
            found = Set(ids).flatMap { rows(of: $0, side: request.side) }
        } else if link.isSymmetric {
            found = Set(bySource.keys).union(sources.keys).flatMap { rows(of: $0, side: request.side) }
        } else {
            found = rows
        }
        let isBySource = request.side == .source || link.isSymmetric
        return found.sorted { $0.precedes($1, bySource: isBySource) }
    }

    private func rows(of owner: Int64, side: LinkRequest.Side) -> [LinkRow] {
        func row(_ source: Int64, _ target: Int64) -> LinkRow {
            let positions = bySource[source]?[target]
            return LinkRow(
                JoinPair(source: source, target: target), sourcePosition: positions?.source,
                targetPosition: positions?.target)
        }
        let targets = bySource[owner, default: [:]].keys.map { row(owner, $0) }
        let sources = sources[owner, default: []].map { row($0, owner) }
        guard link.isSymmetric else { return side == .source ? targets : sources }
        // A pair of an object with itself is in both.
        return targets
            + sources.filter { $0.link.source != owner }.map { LinkRow(JoinPair(source: owner, target: $0.link.source)) }
    }
}

extension LinkRow {
    /// By owner, then by position, null first, then by the other end.
    fileprivate func precedes(_ other: LinkRow, bySource: Bool) -> Bool {
        func key(_ row: LinkRow) -> (Int64, Int, Int64, Int64) {
            let position = bySource ? row.sourcePosition : row.targetPosition
            let (owner, end) =
                bySource ? (row.link.source, row.link.target) : (row.link.target, row.link.source)
            return (owner, position == nil ? 0 : 1, position ?? 0, end)
        }
        return key(self) < key(other)
    }
}
