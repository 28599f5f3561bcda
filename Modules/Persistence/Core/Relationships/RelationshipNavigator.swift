/// Answers what relationships lead to, whatever their kind and whoever asks: contexts, batches, imports, exports.
///
/// One statement, or two for many-to-many, however many owners.
///
/// `@inlinable`, and `@usableFromInline` for what that needs: who asks has many objects, and knows their type.
@usableFromInline
package struct RelationshipNavigator<Reader: RelationshipReader> {
    /// What a relationship leads to, with the owner it leads from.
    @usableFromInline package typealias Related = (owner: Int64, object: Reader.Object)

    /// Who has the rows and the pairs.
    @usableFromInline package let reader: Reader
    /// Whether each owner's objects are wanted in the relationship's order, and by identifier where it has none; otherwise they come as they are read.
    @usableFromInline package let keepsOrder: Bool

    /// Follows relationships of what a reader has.
    @inlinable package init(_ reader: Reader, keepsOrder: Bool = true) {
        self.reader = reader
        self.keepsOrder = keepsOrder
    }

    /// What a relationship of some objects leads to.
    @inlinable
    package func related(
        to owners: [Reader.Object], by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Related] {
        if case .ownColumn(let column) = place { return try destinations(of: owners, column, relationship) }
        return try related(owners.map(\.rawID), relationship, place)
    }

    /// What the to-one relationship in a column of objects leads to, each at its owner's place; `nil` for nothing, and of nothing.
    @inlinable
    package func destinations(
        of owners: [Reader.Object?], at column: Int, in entity: String
    ) throws -> [Reader.Object?] {
        try lookingUp(owners.map { $0?.reference(at: column) }, entity)
    }

    /// What a relationship of some objects leads to, by the owner's identifier.
    @inlinable
    package func relatedByOwner(
        to owners: [Reader.Object], by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [Reader.Object]] {
        Self.byOwner(try related(to: owners, by: relationship, place))
    }

    /// Related objects by their owners' identifiers, each owner's in their order.
    @inlinable
    package static func byOwner(_ related: [Related]) -> [Int64: [Reader.Object]] {
        var objects: [Int64: [Reader.Object]] = [:]
        for (owner, object) in related { objects[owner, default: []].append(object) }
        return objects
    }

    /// The same of objects that are known by their identifiers only: one statement more where the reference is in their own rows.
    @inlinable
    package func related(
        toIDs ids: [Int64], of entity: String, by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Related] {
        if case .ownColumn(let column) = place {
            return try destinations(of: try reader.objects(withIDs: ids, of: entity), column, relationship)
        }
        return try related(ids, relationship, place)
    }

    /// The pairs of some owners in a many-to-many relationship.
    @inlinable
    package func pairs(of ids: [Int64], in join: JoinDescription, ownerIsSource: Bool) throws -> [RelatedPair] {
        if ids.isEmpty { return [] }
        let request = JoinRequest(join.name, of: ownerIsSource ? .source : .target, ids: ids.sorted())
        let pairs = try reader.joins(request).map { RelatedPair($0, of: join, ownerIsSource: ownerIsSource) }
        return keepsOrder ? pairs.sorted(by: RelatedPair.precedes) : pairs
    }

    @inlinable
    func related(
        _ ids: [Int64], _ relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Related] {
        if ids.isEmpty { return [] }
        switch place {
        case .ownColumn: return []
        case .inverseColumn(let column):
            let owners = ids.sorted().map(StoredValue.integer)
            let request = StoreRequest(
                relationship.destination, where: .isIn(.property(relationship.inverse ?? "id"), owners),
                sort: keepsOrder ? relationship.sort : [])
            return try reader.objects(request).compactMap { object in
                object.reference(at: column).map { ($0, object) }
            }
        case .join(let join, let isSource):
            let pairs = try pairs(of: ids, in: join, ownerIsSource: isSource)
            let ends = try lookingUp(pairs.map(\.other), relationship.destination)
            return zip(pairs, ends).compactMap { pair, end in end.map { (pair.owner, $0) } }
        }
    }

    /// What the references in some objects' own rows lead to.
    @inlinable
    func destinations(
        of owners: [Reader.Object], _ column: Int, _ relationship: RelationshipDescription
    ) throws -> [Related] {
        let ends = try lookingUp(owners.map { $0.reference(at: column) }, relationship.destination)
        return zip(owners, ends).compactMap { owner, end in end.map { (owner.rawID, $0) } }
    }

    /// The objects with some identifiers, each at its identifier's place.
    @inlinable
    func lookingUp(_ targets: [Int64?], _ entity: String) throws -> [Reader.Object?] {
        let ids = Set(targets.compactMap(\.self)).sorted()
        if ids.isEmpty { return targets.map { _ in nil } }
        let found = Dictionary(
            try reader.objects(withIDs: ids, of: entity).map { ($0.rawID, $0) }, uniquingKeysWith: { first, _ in first }
        )
        return targets.map { target in target.flatMap { found[$0] } }
    }
}

extension RelationshipDescription {
    /// The order of a one-to-many relationship's destinations, apart from their identifiers.
    @usableFromInline var sort: [StoreRequest.Sort] { orderingAttribute.map { [StoreRequest.Sort($0)] } ?? [] }
}
