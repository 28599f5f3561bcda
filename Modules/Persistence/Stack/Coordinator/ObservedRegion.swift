import StrataCore

/// The entities and join tables on which the result of a request depends.
struct ObservedRegion: Sendable {
    private var entities: Set<String>
    private var joins: Set<String> = []

    /// Creates the region of a request: its entity, and what its condition and its sort keys traverse.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request names an entity
    ///   or a relationship that does not exist.
    init(_ request: StoreRequest, in model: ManagedObjectModel) throws {
        let entity = try model.entity(named: request.entity)
        entities = [entity.name]
        let keys = try request.sort.map { FetchCondition.isTrue(try $0.operand(of: entity)) }
        let conditions = FetchCondition.all([request.condition].compactMap(\.self) + keys)
        for traversed in try conditions.relationships(of: entity, in: model) {
            let source = try model.entity(named: traversed.entity)
            let found = try model.relationship(traversed.name, of: source)
            entities.formUnion([source.name, found.destination.name])
            if case .join(let join, _) = found.place { joins.insert(join.name) }
        }
    }

    /// Returns a Boolean value that indicates whether a change may change the result of the request.
    func isTouched(by change: StoreChange) -> Bool {
        if entities.contains(where: { change.entities[$0]?.isEmpty == false }) { return true }
        // A batch does not report the join rows that it changes.
        return !joins.isEmpty && (change.origin == .batch || !joins.isDisjoint(with: change.joins))
    }
}
