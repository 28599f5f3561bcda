/// Which pairs of a link a store is asked for.
public struct LinkRequest: Sendable {
    /// An end of a link.
    public enum Side: Sendable, Hashable {
        /// The entity that declares the relationship first.
        case source
        /// The other one.
        case target
    }

    /// The link's name.
    public var link: String
    /// The end whose identifiers are given; of a symmetric link both are the same.
    public var side: Side
    /// The identifiers on that end; `nil` asks for every pair.
    public var ids: [Int64]?

    /// A request.
    public init(_ link: String, of side: Side = .source, ids: [Int64]? = nil) {
        self.link = link
        self.side = side
        self.ids = ids
    }

    /// Checks the name against a model.
    ///
    /// - Returns: The link.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    @discardableResult
    public func validate(in model: ManagedObjectModel) throws -> LinkDescription { try model.link(named: link) }
}

extension ManagedObjectModel {
    /// The link of that name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has none.
    public func link(named name: String) throws -> LinkDescription {
        guard let link = links.first(where: { $0.name == name }) else {
            throw PersistenceError(.invalidRequest, "the model has no many-to-many relationship “\(name)”")
        }
        return link
    }

    /// Checks the names of a change set's entities and links.
    func checkNames(of changes: ChangeSet) throws {
        for name in changes.entities.keys { _ = try entity(named: name) }
        for name in changes.links.keys { _ = try link(named: name) }
    }
}

extension PersistenceError {
    /// A pair of a link one of whose ends does not exist.
    static func dangling(_ link: LinkDescription, _ pair: JoinPair, isTargetMissing: Bool) -> PersistenceError {
        let (owner, target) = isTargetMissing ? (pair.source, pair.target) : (pair.target, pair.source)
        let destination = isTargetMissing ? link.targetEntity : link.sourceEntity
        var error = PersistenceError(
            .danglingReference, "object \(owner) points to a \(destination) that does not exist",
            entity: isTargetMissing ? link.sourceEntity : link.targetEntity,
            attribute: isTargetMissing ? link.sourceRelationship : link.targetRelationship)
        error.value = String(target)
        return error
    }
}
