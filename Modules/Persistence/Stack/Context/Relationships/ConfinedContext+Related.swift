import StrataCore

/// What relationships lead to, whatever their kind, with this context's changes merged in.
extension ConfinedContext {
    /// The objects to which a relationship of several objects leads, by the owner's identifier, in the relationship's order.
    ///
    /// One statement, or two for many-to-many, however many owners.
    ///
    /// Deleted owners have the pairs that they had when `areDeleted`, and none otherwise.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipStorage,
        areDeleted: Bool = false
    ) throws -> [Int64: [ManagedObject]] {
        switch place {
        case .ownColumn(let column): return try destinations(of: owners, column, relationship.destination)
        case .inverseColumn(let column):
            let destination = try model.entity(named: relationship.destination)
            let ids = owners.map(\.rawID).sorted().map(StoredValue.integer)
            let request = StoreRequest(
                destination.name, where: .isIn(.property(destination.columns[column].name), ids),
                sort: relationship.sort)
            return Dictionary(grouping: try fetchObjects(request)) { object in
                if case .integer(let id) = object.currentRow().values[column] { id } else { 0 }
            }
        case .join(let join, let isSource):
            let pairs = try pairs(
                of: join, ownerIsSource: isSource, owners.map(\.rawID).sorted(), ofDeleted: areDeleted)
            let ids = Set(pairs.map(\.other)).sorted()
            let objects = try objects(withRawIDs: ids, of: relationship.destination)
            let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.rawID, $0) })
            return Dictionary(grouping: pairs, by: \.owner).mapValues { $0.compactMap { byID[$0.other] } }
        }
    }

    private func destinations(
        of owners: [ManagedObject], _ column: Int, _ entity: String
    ) throws -> [Int64: [ManagedObject]] {
        var targets: [Int64: Int64] = [:]
        for owner in owners {
            if case .integer(let id) = owner.currentRow().values[column] { targets[owner.rawID] = id }
        }
        let objects = try objects(withRawIDs: Set(targets.values).sorted(), of: entity)
        let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.rawID, $0) })
        return targets.compactMapValues { byID[$0].map { [$0] } }
    }

    /// Whether somebody would still point to an object with this relationship after it went.
    ///
    /// A reference in the object's own row goes with it, and so do its pairs.
    func leavesReferences(_ place: RelationshipStorage) -> Bool {
        if case .inverseColumn = place { true } else { false }
    }
}

extension RelationshipDescription {
    /// The order of a one-to-many relationship's destinations, apart from their identifiers.
    var sort: [StoreRequest.Sort] { orderingAttribute.map { [StoreRequest.Sort($0)] } ?? [] }
}
