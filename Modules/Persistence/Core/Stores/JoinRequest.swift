/// Which pairs of a join table a store is asked for.
public struct JoinRequest: Sendable {
    /// An end of a join table.
    public enum Side: Sendable, Hashable {
        /// The entity that declares the relationship first.
        case source
        /// The other one.
        case target
    }

    /// The join table's name.
    public var join: String
    /// The end whose identifiers are given; of a symmetric join table both are the same.
    public var side: Side
    /// The identifiers on that end; `nil` asks for every pair.
    public var ids: [Int64]?

    /// A request.
    public init(_ join: String, of side: Side = .source, ids: [Int64]? = nil) {
        self.join = join
        self.side = side
        self.ids = ids
    }

    /// Looks the name up.
    ///
    /// - Returns: The request as a store takes it.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedJoinRequest {
        ResolvedJoinRequest(join: try model.join(named: join), side: side, ids: ids)
    }
}

/// Which pairs of a join table are asked for, as stores get it.
public struct ResolvedJoinRequest: Sendable {
    /// The join table.
    public let join: JoinDescription
    /// The end whose identifiers are given; of a symmetric join table both are the same.
    public let side: JoinRequest.Side
    /// The identifiers on that end; `nil` asks for every pair.
    public let ids: [Int64]?
}

extension ManagedObjectModel {
    /// The join table of that name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has none.
    public func join(named name: String) throws -> JoinDescription {
        guard let join = joins.first(where: { $0.name == name }) else {
            throw PersistenceError(.invalidRequest, "the model has no many-to-many relationship “\(name)”")
        }
        return join
    }

    /// Checks the names of a change set's entities and join tables, and that its rows have a value for each column.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that the model does not have, or another number of
    ///   values than the entity has columns.
    public func checkNames(of changes: ChangeSet) throws {
        for (name, changes) in changes.entities { try changes.checkCounts(of: try entity(named: name)) }
        for name in changes.joins.keys { _ = try join(named: name) }
    }
}
