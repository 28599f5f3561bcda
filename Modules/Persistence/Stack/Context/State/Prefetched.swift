import StrataCore

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
