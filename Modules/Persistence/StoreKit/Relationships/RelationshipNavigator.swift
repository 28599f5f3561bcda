public import StrataCore

/// A reader of related objects through relationships of every kind, for contexts, batches, imports and exports.
///
/// For any count of owners, a read takes one statement, or two for a many-to-many relationship.
///
/// The methods are `@inlinable`, and their dependencies are `@usableFromInline`, because callers process many objects
/// of a known type.
@usableFromInline
package struct RelationshipNavigator<Reader: RelationshipReader> {
    /// A related object, with the identifier of the object that owns the relationship.
    @usableFromInline package typealias Related = (owner: Int64, object: Reader.Object)

    /// The source of the objects and join rows.
    @usableFromInline package let reader: Reader
    /// A Boolean value that indicates whether the objects of each owner are sorted in the relationship's order.
    ///
    /// If it is `true`, objects of an unordered relationship are sorted by identifier. If it is `false`, objects are
    /// returned in the order in which they are read.
    @usableFromInline package let keepsOrder: Bool

    /// Creates a navigator for the objects of a reader.
    @inlinable package init(_ reader: Reader, keepsOrder: Bool = true) {
        self.reader = reader
        self.keepsOrder = keepsOrder
    }

    /// Returns the objects that a relationship of the owners references, each with its owner's identifier.
    @inlinable
    package func related(
        to owners: [Reader.Object], by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Related] {
        if case .ownColumn(let column) = place { return try destinations(of: owners, column, relationship) }
        return try related(owners.map(\.rawID), relationship, place)
    }

    /// Returns the target of each owner's reference in a column, at the index of the owner.
    ///
    /// An element is `nil` if the owner is `nil` or references no object.
    @inlinable
    package func destinations(
        of owners: [Reader.Object?], at column: Int, in entity: String
    ) throws -> [Reader.Object?] {
        try lookingUp(owners.map { $0?.reference(at: column) }, entity)
    }

    /// Returns the objects that a relationship of the owners references, grouped by the owner's identifier.
    @inlinable
    package func relatedByOwner(
        to owners: [Reader.Object], by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [Reader.Object]] {
        Self.byOwner(try related(to: owners, by: relationship, place))
    }

    /// Groups related objects by the identifiers of their owners; the order within a group does not change.
    @inlinable
    package static func byOwner(_ related: [Related]) -> [Int64: [Reader.Object]] {
        var objects: [Int64: [Reader.Object]] = [:]
        for (owner, object) in related { objects[owner, default: []].append(object) }
        return objects
    }

    /// Returns the objects that a relationship references, for owners of which only the identifiers are known.
    ///
    /// If the owners' rows contain the reference, one more statement is needed to read them.
    @inlinable
    package func related(
        toIDs ids: [Int64], of entity: String, by relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Related] {
        if case .ownColumn(let column) = place {
            return try destinations(of: try reader.objects(withIDs: ids, of: entity), column, relationship)
        }
        return try related(ids, relationship, place)
    }

    /// Returns the pairs of a many-to-many relationship for the owners with some identifiers.
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

    /// Returns the objects that the owners' rows reference in a column, each with its owner's identifier.
    @inlinable
    func destinations(
        of owners: [Reader.Object], _ column: Int, _ relationship: RelationshipDescription
    ) throws -> [Related] {
        let ends = try lookingUp(owners.map { $0.reference(at: column) }, relationship.destination)
        return zip(owners, ends).compactMap { owner, end in end.map { (owner.rawID, $0) } }
    }

    /// Returns the objects with some identifiers, each at the index of its identifier; `nil` for a missing object.
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
    /// The sort keys of a one-to-many relationship's objects; ties are sorted by identifier.
    @usableFromInline var sort: [StoreRequest.Sort] { orderingAttribute.map { [StoreRequest.Sort($0)] } ?? [] }
}
