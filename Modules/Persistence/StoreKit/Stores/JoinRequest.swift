public import StrataCore

/// A request for rows of a join table.
///
/// Use it to read a many-to-many relationship. The join table is named by the source entity and its relationship, such
/// as `Article_tags`; ``ManagedObjectModel/join(of:in:)`` finds it for a relationship. A one-to-many relationship has
/// no join table: request the rows by their reference instead.
public struct JoinRequest: Sendable {
    /// One of both ends of a join table.
    public enum Side: Sendable, Hashable {
        /// The end of the entity that declares the relationship first.
        case source
        /// The end of the other entity, to which that relationship refers.
        case target
    }

    /// The name of the join table.
    public var join: String
    /// The end of the join table to which ``ids`` belong; if the join table is symmetric, both ends are equivalent.
    public var side: Side
    /// The identifiers of rows at the end ``side`` whose join rows are requested; `nil` requests every join row.
    public var ids: [Int64]?

    /// Creates a request for rows of the join table with a name.
    ///
    /// - Parameters:
    ///   - join: The name of the join table.
    ///   - side: The end to which `ids` belong (default: the source).
    ///   - ids: The identifiers whose join rows are requested; `nil` requests every join row, and an empty array none.
    public init(_ join: String, of side: Side = .source, ids: [Int64]? = nil) {
        self.join = join
        self.side = side
        self.ids = ids
    }

    /// Returns the request in the form that stores receive, with the join table that has the name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such join
    ///   table.
    public func resolved(in model: ManagedObjectModel) throws -> ResolvedJoinRequest {
        ResolvedJoinRequest(join: try model.join(named: join), side: side, ids: ids)
    }
}

/// A request for rows of a join table, in the form that stores receive.
public struct ResolvedJoinRequest: Sendable {
    /// The join table whose rows are requested.
    public let join: JoinDescription
    /// The end of the join table to which ``ids`` belong; if the join table is symmetric, both ends are equivalent.
    public let side: JoinRequest.Side
    /// The identifiers of rows at the end ``side`` whose join rows are requested; `nil` requests every join row.
    public let ids: [Int64]?
}

extension ManagedObjectModel {
    /// Returns the model's join table with a name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has none.
    public func join(named name: String) throws -> JoinDescription {
        guard let join = joins.first(where: { $0.name == name }) else {
            throw PersistenceError(.invalidRequest, "the model has no many-to-many relationship “\(name)”")
        }
        return join
    }

    /// Throws an error if a change set has unknown entities or join tables, or rows with a wrong count of values.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func checkNames(of changes: ChangeSet) throws {
        for (name, changes) in changes.entities { try changes.checkCounts(of: try entity(named: name)) }
        for name in changes.joins.keys { _ = try join(named: name) }
    }
}
