/// Where the answer to a relationship is kept.
enum RelationshipPlace {
    /// In a column of the object's own row.
    case column(Int)
    /// In a column of the destination's rows.
    case inverseColumn(EntityDescription, Int)
}

extension WorkingContext {
    func place(of relationship: RelationshipDescription, in entity: EntityDescription) throws -> RelationshipPlace {
        if let column = entity.columnIndex(relationship.name) { return .column(column) }
        let destination = try model.entity(named: relationship.destination)
        guard let inverse = relationship.inverse, let column = destination.columnIndex(inverse) else {
            throw PersistenceError(
                .invalidModel, "the relationship has no column", entity: entity.name, attribute: relationship.name)
        }
        return .inverseColumn(destination, column)
    }

    /// Whether somebody would point nowhere if an object with this relationship went without further ado.
    func leavesReferences(_ relationship: RelationshipDescription) -> Bool {
        relationship.cardinality == .toMany
    }

    /// The objects to which a relationship of several objects leads, with the changes made here, by the owner's identifier.
    ///
    /// Two statements at most, however many owners.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipPlace
    ) throws -> [Int64: [ManagedObject]] {
        switch place {
        case .column(let column):
            var targets: [Int64: Int64] = [:]
            for owner in owners {
                if case .integer(let id) = owner.currentRow().values[column] { targets[owner.rawID] = id }
            }
            let ids = Array(Set(targets.values)).sorted()
            let objects = try objects(withRawIDs: ids, of: relationship.destination)
            let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.rawID, $0) })
            return targets.compactMapValues { byID[$0].map { [$0] } }
        case .inverseColumn(let destination, let column):
            let ids = owners.map(\.rawID).sorted().map(StoredValue.integer)
            let request = StoreRequest(
                destination.name, where: .isIn(.property(destination.columns[column].name), ids))
            return Dictionary(grouping: try fetchObjects(request)) { object in
                if case .integer(let id) = object.currentRow().values[column] { id } else { 0 }
            }
        }
    }
}
