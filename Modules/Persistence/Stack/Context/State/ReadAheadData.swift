import StrataCore

/// The data that a context read before it is needed: prefetched objects, and the last positions of ordered
/// relationships.
///
/// Its state is valid until the running closure of the context ends, the context saves, or a change or a newer row
/// makes it wrong. It is confined to the context's queue.
final class ReadAheadData {
    /// The related objects that were prefetched during the running closure.
    private var prefetched = Prefetched()
    /// The greatest known sort keys of ordered relationships, as far as the running closure needed them.
    private var ends = OrderedEnds()

    /// Discards everything.
    func clear() {
        prefetched = Prefetched()
        ends.clear()
    }

    /// Discards the data of an entity, because a read found rows that are newer than their objects.
    func sawNewerRows(of entity: String) {
        forgetLists(of: entity)
        ends.forget(entity)
    }

    // MARK: Prefetched objects

    /// The objects that are retained until the running closure ends or the context saves.
    var heldObjects: [ManagedObject] { prefetched.objects }

    /// Retains objects until the running closure ends or the context saves.
    func hold(_ objects: some Sequence<ManagedObject>) { prefetched.hold(objects) }

    /// Stores the related objects of several owners; an owner that is not in `related` has no related objects.
    func keep(
        _ related: [Int64: [ManagedObject]], of owners: [ManagedObject], by relationship: RelationshipDescription,
        from entity: String
    ) {
        prefetched.keep(related, of: owners, by: relationship, entity)
    }

    /// Returns the related objects of an owner, or `nil` if they are unknown.
    func objects(_ relationship: String, of owner: ManagedObject) -> [ManagedObject]? {
        prefetched.objects(relationship, of: owner)
    }

    /// Discards the prefetched lists of an entity's objects, because objects of the entity changed.
    func forgetLists(of entity: String) { prefetched.forget(destination: entity) }

    /// Discards the lists of a new object's identifier, which may have belonged to another owner.
    func forgetLists(ofNewOwner object: ManagedObject) { prefetched.forget(newOwner: object) }

    /// Discards the lists of both relationships of a join table, because its join rows changed.
    func forgetLists(of join: JoinDescription) { prefetched.forget(join) }

    /// Discards all lists, and retains only the given objects from now on.
    func forgetLists(holding objects: [ManagedObject]) { prefetched.forgetLists(holding: objects) }

    // MARK: Ordered relationships

    /// Returns the greatest sort key of a relationship: `nil` if it is unknown, or `.some(nil)` if no object has one.
    func end(of key: OrderedEnds.Key) -> Int64?? { ends[key] }

    /// Stores the greatest sort key of a relationship.
    func know(end sortKey: Int64?, of key: OrderedEnds.Key) { ends.know(sortKey, of: key) }

    /// Records the sort keys of a changed object, which may now be the last object of a relationship.
    func noteEnds(with object: ManagedObject, _ references: [OrderedReference]) {
        if ends.isEmpty { return }
        for reference in references {
            guard let owner = object.reference(at: reference.column),
                case .integer(let sortKey) = object.typed.value(at: reference.sortKey)
            else { continue }
            ends.note(sortKey, of: OrderedEnds.Key(entity: object.entityName, column: reference.column, owner: owner))
        }
    }
}

/// The objects that a context prefetched, until its running closure ends or it saves.
///
/// The value returns the related objects of a relationship without a read if they are known, and discards lists that a
/// change may have made wrong.
struct Prefetched {
    private struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    /// The related objects of one relationship, by the identifier of the owner.
    private struct Lists {
        let destination: String
        var objects: [Int64: [ManagedObject]]
    }

    /// The retained objects, which would otherwise be released before a later access needs them.
    private(set) var objects: [ManagedObject] = []
    private var lists: [Key: Lists] = [:]

    /// Retains objects until the running closure ends or the context saves.
    mutating func hold(_ objects: some Sequence<ManagedObject>) { self.objects += objects }

    /// Stores the related objects of several owners; an owner that is not in `related` has no related objects.
    mutating func keep(
        _ related: [Int64: [ManagedObject]], of owners: [ManagedObject], by relationship: RelationshipDescription,
        _ entity: String
    ) {
        let key = Key(entity: entity, relationship: relationship.name)
        var known = lists[key] ?? Lists(destination: relationship.destination, objects: [:])
        for owner in owners { known.objects[owner.rawID] = related[owner.rawID] ?? [] }
        lists[key] = known
    }

    /// Returns the related objects of an owner, or `nil` if they are unknown.
    func objects(_ relationship: String, of owner: ManagedObject) -> [ManagedObject]? {
        if lists.isEmpty || owner.isDeletedOrDetached { return nil }
        return lists[Key(entity: owner.entityName, relationship: relationship)]?.objects[owner.rawID]
    }

    /// Discards the lists that contain objects of an entity, because such objects changed.
    mutating func forget(destination entity: String) {
        guard !lists.isEmpty else { return }
        lists = lists.filter { $0.value.destination != entity }
    }

    /// Discards the lists of a new object's identifier, which may have belonged to another owner.
    mutating func forget(newOwner object: ManagedObject) {
        guard !lists.isEmpty else { return }
        for key in lists.keys where key.entity == object.entityName { lists[key]?.objects[object.rawID] = nil }
    }

    /// Discards the lists of both relationships of a join table, because its join rows changed.
    mutating func forget(_ join: JoinDescription) {
        guard !lists.isEmpty else { return }
        lists[Key(entity: join.sourceEntity, relationship: join.sourceRelationship)] = nil
        lists[Key(entity: join.targetEntity, relationship: join.targetRelationship)] = nil
    }

    /// Discards all lists, and retains only the given objects from now on.
    mutating func forgetLists(holding objects: [ManagedObject]) {
        lists = [:]
        self.objects = objects
    }
}

/// The greatest sort keys of ordered relationships that the running closure of a context has determined.
///
/// To append an object to a relationship, a context needs only this key, not the list of objects.
///
/// A stored key is never less than the sort key of any object in the relationship. Code that changes objects therefore
/// records their sort keys, and code that reads rows again removes the stored keys.
struct OrderedEnds {
    /// An ordered relationship of one owner, identified by the column that references the owner.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let owner: Int64
    }

    /// The known greatest sort keys; the inner optional is `nil` if no object of the relationship has a sort key.
    private var ends: [Key: Int64?] = [:]

    /// The greatest sort key: `nil` if it is unknown, or `.some(nil)` if no object of the relationship has a sort key.
    subscript(_ key: Key) -> Int64?? { ends[key] }

    /// Stores the greatest sort key of a relationship.
    mutating func know(_ sortKey: Int64?, of key: Key) { ends[key] = .some(sortKey) }

    /// Records the sort key of an object in a relationship, if the greatest sort key of the relationship is known.
    mutating func note(_ sortKey: Int64, of key: Key) {
        guard let known = ends[key] else { return }
        if let greatest = known, greatest >= sortKey { return }
        ends[key] = .some(sortKey)
    }

    /// A Boolean value that indicates whether no greatest sort key is known, so that sort keys need not be recorded.
    var isEmpty: Bool { ends.isEmpty }

    /// Removes the keys of relationships to an entity's objects, because rows of the entity were read again.
    mutating func forget(_ entity: String) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.key.entity != entity }
    }

    mutating func clear() { ends = [:] }
}
