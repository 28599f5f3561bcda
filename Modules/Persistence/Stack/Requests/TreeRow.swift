import StrataCore
import StrataStoreKit

/// A record that was found from other records along a relationship of an entity to itself.
public struct TreeRow<Record: ManagedRecord> {
    /// The record.
    public let record: Record
    /// The least count of relationships between the record and the records at which the search began, at least 1.
    public let depth: Int
    /// The identifier of the record from which this record was found: for descendants, its parent; for ancestors, its
    /// child.
    public let origin: Record.ID
}

extension TreeRow: Sendable where Record: Sendable {}

/// The order in which the records of a tree are returned.
///
/// Records that were found from the same record are ordered by their identifiers.
public enum TreeOrder: Sendable {
    /// Every record is followed by the records that were found from it.
    case depthFirst
    /// Records of a lesser depth precede those of a greater depth.
    case breadthFirst
}

/// The rows of a tree or graph with their depths, computed from edges.
struct TreeWalk {
    /// A row, and the row from which it was found.
    struct Step {
        let id: Int64
        let depth: Int
        let origin: Int64
    }

    /// The rows in the requested order.
    let steps: [Step]

    /// Computes the depths of all rows that edges connect with the rows at which the search began.
    ///
    /// - Parameters:
    ///   - starts: The identifiers at which the search began, which are not among the steps.
    ///   - edges: The edges, in any order.
    ///   - isUpward: A Boolean value that indicates whether the search continued with the parents.
    ///   - order: The order of the steps.
    ///   - limit: The maximum depth.
    ///   - entity: The entity, for the error.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a depth exceeds the limit.
    init(
        _ starts: [Int64], _ edges: [TreeEdge], isUpward: Bool, order: TreeOrder, limit: Int, entity: String
    ) throws {
        var next: [Int64: [Int64]] = [:]
        for edge in edges {
            next[isUpward ? edge.child : edge.parent, default: []].append(isUpward ? edge.parent : edge.child)
        }
        var visited = Set(starts)
        var steps: [Step] = []
        var level = visited.sorted()
        var depth = 0
        while !level.isEmpty {
            depth += 1
            var following: [Int64] = []
            for origin in level {
                for id in next[origin, default: []].sorted() where visited.insert(id).inserted {
                    steps.append(Step(id: id, depth: depth, origin: origin))
                    following.append(id)
                }
            }
            if depth > limit, !following.isEmpty {
                throw PersistenceError(
                    .invalidRequest,
                    "the tree has more than \(limit) levels below or above the given objects; pass a larger maximum depth",
                    entity: entity)
            }
            level = following
        }
        self.steps = order == .breadthFirst ? steps : Self.depthFirst(starts, steps)
    }

    /// Returns steps in the order in which every step is followed by those that were found from it.
    private static func depthFirst(_ starts: [Int64], _ steps: [Step]) -> [Step] {
        let following = Dictionary(grouping: steps, by: \.origin)
        var ordered: [Step] = []
        var waiting: [Step] = Set(starts).sorted(by: >).flatMap { (following[$0] ?? []).reversed() }
        while let step = waiting.popLast() {
            ordered.append(step)
            waiting += (following[step.id] ?? []).reversed()
        }
        return ordered
    }
}

extension TreeWalk {
    /// Returns the steps with their records; steps without a record are omitted.
    func rows<Record: ManagedRecord>(_ records: [Record]) -> [TreeRow<Record>] {
        let byID = Dictionary(records.map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        return steps.compactMap { step in
            guard let record = byID[step.id], let origin = Record.ID(rawValue: step.origin) else { return nil }
            return TreeRow(record: record, depth: step.depth, origin: origin)
        }
    }
}

extension StoreSelection {
    /// Returns a selection of the identifiers of objects and of their parents, for one level of a tree.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - parent: The name of the to-one relationship to the parent.
    ///   - level: The identifiers of the children if the search is upward, or else of the parents.
    ///   - isUpward: A Boolean value that indicates whether the search continues with the parents.
    /// - Returns: The selection.
    static func edges(_ entity: String, parent: String, level: [Int64], isUpward: Bool) -> StoreSelection {
        let (id, parent) = (FetchOperand.property("id"), FetchOperand.property(parent))
        let rows = StoreRequest(entity, where: .isIn(isUpward ? id : parent, level.map(StoredValue.integer)))
        return StoreSelection(rows, [id, parent])
    }
}
