/// A request for rows of a join table.
public struct JoinRequest: Sendable {
    /// An end of a join table.
    public enum Side: Sendable, Hashable {
        /// The end of the entity that declares the relationship first.
        case source
        /// The end of the relationship's destination.
        case target
    }

    /// The join table's name.
    public var join: String
    /// The end to which the identifiers belong; in a symmetric join table, both ends are the same.
    public var side: Side
    /// The identifiers on that end; `nil` requests every join row.
    public var ids: [Int64]?

    /// Creates a request.
    public init(_ join: String, of side: Side = .source, ids: [Int64]? = nil) {
        self.join = join
        self.side = side
        self.ids = ids
    }

    /// Looks up the name of the join table.
    ///
    /// - Returns: The request in the form that stores receive.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedJoinRequest {
        ResolvedJoinRequest(join: try model.join(named: join), side: side, ids: ids)
    }
}

/// A request for rows of a join table, in the form that stores receive.
public struct ResolvedJoinRequest: Sendable {
    /// The join table.
    public let join: JoinDescription
    /// The end to which the identifiers belong; in a symmetric join table, both ends are the same.
    public let side: JoinRequest.Side
    /// The identifiers on that end; `nil` requests every join row.
    public let ids: [Int64]?
}

extension ManagedObjectModel {
    /// Returns the join table with a name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has none.
    public func join(named name: String) throws -> JoinDescription {
        guard let join = joins.first(where: { $0.name == name }) else {
            throw PersistenceError(.invalidRequest, "the model has no many-to-many relationship “\(name)”")
        }
        return join
    }

    /// Checks the names of a change set's entities and join tables, and the count of values in its rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that the model does
    ///     not have, or for a count of values that differs from the entity's count of columns.
    public func checkNames(of changes: ChangeSet) throws {
        for (name, changes) in changes.entities { try changes.checkCounts(of: try entity(named: name)) }
        for name in changes.joins.keys { _ = try join(named: name) }
    }
}
