import StrataCore
public import StrataStoreKit

/// The reads of related objects and join rows, including the unsaved changes of the context.
extension ObjectReader {
    /// Returns the related objects of several owners, by the owner's identifier and in the relationship's order.
    ///
    /// Unsaved changes of this context are included. The method executes one statement, or two for a many-to-many
    /// relationship, regardless of the number of owners.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [ManagedObject]] {
        try RelationshipNavigator(ContextReader(self)).relatedByOwner(to: owners, by: relationship, place)
    }

    /// Returns a relationship of an object as the model of the context describes it.
    ///
    /// - Parameters:
    ///   - wanted: The relationship as the caller describes it; a relationship of another entity may have the same
    ///     name.
    ///   - owner: The owner of the relationship.
    /// - Returns: The model's relationship, its destination entity, and its storage.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the owner's entity does not
    ///   have the relationship.
    func relationship(
        _ wanted: RelationshipDescription, of owner: ManagedObject
    ) throws -> (relationship: RelationshipDescription, destination: EntityDescription, place: RelationshipStorage) {
        let found = try model.relationship(wanted.name, of: owner.ownership.entity)
        let description = found.relationship
        guard description.cardinality == wanted.cardinality, description.destination == wanted.destination else {
            throw PersistenceError(
                .invalidRequest,
                "the relationship belongs to another entity: it refers to \(description.destination), not to "
                    + "\(wanted.cardinality == .toMany ? "any number of " : "one of ")\(wanted.destination)",
                entity: owner.entityName, attribute: wanted.name)
        }
        return found
    }

    /// Throws an error if an object's entity is not the relationship's destination, which the compiler does not check
    /// for records without a Swift type.
    func require(
        _ object: ManagedObject, endOf relationship: RelationshipDescription, of owner: ManagedObject
    ) throws {
        guard object.entityName != relationship.destination else { return }
        throw PersistenceError(
            .invalidRequest,
            "the relationship refers to \(relationship.destination), but \(object.rawID) is of \(object.entityName)",
            entity: owner.entityName, attribute: relationship.name)
    }

    /// Returns the destination entity of a relationship, with the record type that the relationship declares.
    func destination<Source: ManagedRecord, Destination: ManagedRecord>(
        of relationship: ToMany<Source, Destination>
    ) throws -> RecordEntity<Destination> {
        if let declared = Destination.declaredEntity { return declared }
        let name = relationship.description.destination
        guard let entity = try registry.recordEntity(of: name) as? RecordEntity<Destination> else {
            throw PersistenceError(
                .invalidModel, "the model has a record type for this entity other than \(Destination.self)",
                entity: name)
        }
        return entity
    }

    // MARK: Prefetching

    /// Reads the related objects of several relationships, with one statement each, or two for a many-to-many
    /// relationship.
    ///
    /// The context retains the objects until its running closure ends or it saves, so that later accesses read nothing.
    func prefetch(_ relationships: [PrefetchedRelationship], for objects: [ManagedObject]) throws {
        guard let entity = objects.first?.ownership.entity else { return }
        for wanted in relationships {
            let (relationship, _, place) = try model.relationship(wanted.name, of: entity)
            let related = try relatedObjects(of: objects, relationship, place)
            if !wanted.nested.isEmpty { try prefetch(wanted.nested, for: Self.distinct(related)) }
            readAhead.hold(related.values.joined())
            if case .ownColumn = place { continue }
            // The lists do not contain later changes of this context, so they are stored only if there are no pending
            // changes.
            guard registry[relationship.destination]?.hasPending != true, !hasPendingJoins(place) else { continue }
            readAhead.keep(related, of: objects, by: relationship, from: entity.name)
        }
    }

    /// Checks that an entity has the relationships to prefetch, including the nested ones.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for the first relationship
    ///   that does not exist.
    func validate(_ relationships: [PrefetchedRelationship], of entity: EntityDescription) throws {
        for wanted in relationships {
            try validate(wanted.nested, of: model.relationship(wanted.name, of: entity).destination)
        }
    }

    /// Returns the related objects of several owners, each object once.
    static func distinct(_ related: [Int64: [ManagedObject]]) -> [ManagedObject] {
        var seen: Set<Int64> = []
        return related.sorted { $0.key < $1.key }.flatMap(\.value).filter { seen.insert($0.rawID).inserted }
    }

    private func hasPendingJoins(_ place: RelationshipStorage) -> Bool {
        guard case .join(let join, _) = place else { return false }
        return pending.hasChanges(of: join)
    }

    // MARK: Join rows

    /// Returns the join rows of several owners, in the order of the relationship.
    func pairs(of join: JoinDescription, ownerIsSource: Bool, _ owners: [Int64]) throws -> [RelatedPair] {
        try RelationshipNavigator(ContextReader(self)).pairs(
            of: owners, in: join, ownerIsSource: ownerIsSource)
    }

    /// Returns the join rows that a request selects.
    ///
    /// If `ofDeleted` is `true`, the result also contains the join rows that deleted objects had.
    func joins(_ request: JoinRequest, ofDeleted: Bool = false) throws -> [JoinRow] {
        let rows = try (parent?.joins(request) ?? source.joins(request))
            .filter { ofDeleted || stays($0.pair, request.join) }
        guard let changes = pending.joins[request.join], !changes.isEmpty else { return rows }
        let join = changes.join
        var added = changes.added(of: request.ids, on: request.side)
        let deletesHere = [join.sourceEntity, join.targetEntity].contains {
            pending.deletions.hasDiscarded(of: $0) || registry[$0]?.deleted.isEmpty == false
        }
        if deletesHere, !ofDeleted {
            added.removeAll {
                isDeletedHere(join.sourceEntity, $0.pair.source) || isDeletedHere(join.targetEntity, $0.pair.target)
            }
        }
        // The key is the pair as the request sees it. A symmetric row has the owner first, and occurs twice if both
        // ends are requested.
        var kept: [JoinPair: JoinRow] = [:]
        for row in rows where !changes.removed.contains(join.kept(row.pair)) { kept[row.pair] = row }
        let owners = join.isSymmetric ? request.ids.map(Set.init) : nil
        for row in added {
            for view in views(of: row, join, owners) {
                var merged = view
                if let known = kept[view.pair] {
                    merged.sourcePosition = view.sourcePosition ?? known.sourcePosition
                    merged.targetPosition = view.targetPosition ?? known.targetPosition
                }
                kept[view.pair] = merged
            }
        }
        return Array(kept.values)
    }

    /// Returns the views of an added join row that a request selects; a symmetric join row is viewed from each
    /// requested end.
    private func views(of row: JoinRow, _ join: JoinDescription, _ owners: Set<Int64>?) -> [JoinRow] {
        guard join.isSymmetric else { return [row] }
        let mirrored = JoinRow(JoinPair(source: row.pair.target, target: row.pair.source))
        let ends = row.pair.source == row.pair.target ? [row] : [row, mirrored]
        return ends.filter { owners?.contains($0.pair.source) ?? true }
    }

    /// Returns a Boolean value that indicates whether this context deleted neither end of a join row of the parent
    /// context or store.
    ///
    /// If a new object has the identifier of a deleted one, the stored join rows do not belong to the new object.
    private func stays(_ pair: JoinPair, _ name: String) -> Bool {
        guard let join = model.joins.first(where: { $0.name == name }) else { return true }
        return registry[join.sourceEntity]?.deleted[pair.source] == nil
            && registry[join.targetEntity]?.deleted[pair.target] == nil
    }

    /// Returns a Boolean value that indicates whether this context deleted an object and no new object has its
    /// identifier.
    func isDeletedHere(_ entity: String, _ id: Int64) -> Bool {
        if pending.deletions.isDiscarded(id, of: entity) { return true }
        guard let identityMap = registry[entity], identityMap.deleted[id] != nil else { return false }
        return identityMap.object(id)?.state != .inserted
    }
}

extension ObjectReader: RelatedRows {
    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])] {
        try fetchObjects(StoreRequest(entity.name, where: condition?.source)).map {
            ($0.rawID, $0.typed.currentRow().values)
        }
    }

    func joins(of join: JoinDescription) throws -> [JoinRow] {
        let rows = try joins(JoinRequest(join.name))
        // A store returns a symmetric join row from both ends if the request selects all rows.
        return join.isSymmetric ? Array(Set(rows.map { join.kept($0) })) : rows
    }
}

/// A reader of the objects and join rows of a context, including its unsaved changes.
struct ContextReader: RelationshipReader {
    let reader: ObjectReader
    /// A Boolean value that indicates whether the reader returns the join rows that deleted objects had.
    ///
    /// If it is `false`, the reader returns no join rows of deleted objects.
    let keepsPairsOfDeleted: Bool

    init(_ reader: ObjectReader, keepsPairsOfDeleted: Bool = false) {
        self.reader = reader
        self.keepsPairsOfDeleted = keepsPairsOfDeleted
    }

    func objects(_ request: StoreRequest) throws -> [ManagedObject] { try reader.fetchObjects(request) }

    func objects(withIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        try reader.objects(withRawIDs: ids, of: entity)
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] {
        try reader.joins(request, ofDeleted: keepsPairsOfDeleted)
    }
}

extension ManagedObject: RelatedObject {
    @usableFromInline
    package final func reference(at column: Int) -> Int64? {
        if case .integer(let id) = typed.value(at: column) { id } else { nil }
    }
}
