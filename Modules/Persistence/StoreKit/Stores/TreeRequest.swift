public import StrataCore

/// A request for the rows above or below some rows along a to-one relationship of an entity to itself.
public struct TreeRequest: Sendable {
    /// The entity, an entity of the store's model.
    public let entity: EntityDescription
    /// The index of the column that references the parent, a row of the same entity.
    public let parentColumn: Int
    /// The identifiers of the rows at which the search begins.
    public let starts: [Int64]
    /// A Boolean value that indicates whether the search continues with the parents instead of the children.
    public let isUpward: Bool

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - parentColumn: The index of the column that references the parent.
    ///   - starts: The identifiers of the rows at which the search begins.
    ///   - isUpward: A Boolean value that indicates whether the search continues with the parents.
    public init(_ entity: EntityDescription, parentColumn: Int, starts: [Int64], isUpward: Bool) {
        self.entity = entity
        self.parentColumn = parentColumn
        self.starts = starts
        self.isUpward = isUpward
    }
}

extension TreeRequest {
    /// The condition on the rows with the first edges.
    package var isFirst: ResolvedCondition {
        let form: ResolvedOperand.Form = isUpward ? .identifier : .column(parentColumn)
        let operand = ResolvedOperand(form, type: OperandType(kind: .integer, isNullable: true))
        let source = FetchOperand.property(isUpward ? "id" : entity.columns[parentColumn].name)
        let values = starts.map(StoredValue.integer)
        return ResolvedCondition(.isIn(operand, values), source: .isIn(source, values))
    }
}

extension StoreReader {
    /// Returns the edges that a request finds, by one fetch for each level of the tree.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func edges(_ request: TreeRequest) throws -> [TreeEdge] {
        let (id, parent) = (FetchOperand.property("id"), request.entity.columns[request.parentColumn].name)
        let key = request.isUpward ? id : .property(parent)
        return try TreeEdge.edges(from: request.starts, isUpward: request.isUpward) { ids in
            let rows = StoreRequest(request.entity.name, where: .isIn(key, ids.map(StoredValue.integer)))
            var edges: [TreeEdge] = []
            try select(StoreSelection(rows, [id, .property(parent)])) { values in
                if let edge = TreeEdge(values) { edges.append(edge) }
                return .next
            }
            return edges
        }
    }
}

extension TreeEdge {
    /// Creates an edge from the identifier of a row and of its parent; `nil` if the row has no parent.
    package init?(_ values: [StoredValue]) {
        guard values.count == 2, case .integer(let child) = values[0], case .integer(let parent) = values[1] else {
            return nil
        }
        self.init(child: child, parent: parent)
    }

    /// Returns all edges that are found from some rows, level by level.
    ///
    /// - Parameters:
    ///   - starts: The identifiers at which the search begins.
    ///   - isUpward: A Boolean value that indicates whether the search continues with the parents.
    ///   - read: A closure that returns the edges of one level by the identifiers of their children or parents.
    /// - Returns: The edges, each once.
    /// - Throws: The error of `read`.
    package static func edges(
        from starts: [Int64], isUpward: Bool, _ read: ([Int64]) throws -> [TreeEdge]
    ) rethrows -> [TreeEdge] {
        var edges: [TreeEdge] = []
        var visited = Set(starts)
        var level = visited.sorted()
        while !level.isEmpty {
            let found = try read(level)
            edges += found
            // A visited row is not read again, so that the search ends also if the edges form a cycle.
            level = found.map { isUpward ? $0.parent : $0.child }.filter { visited.insert($0).inserted }.sorted()
        }
        return edges
    }
}
