import StrataCore

/// What a context read ahead, until its work ends or it saves.
///
/// A value without input or output: it says what is known of a relationship without asking, and forgets what a change makes wrong.
struct Prefetched {
    private struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    /// What a relationship leads to, by owner.
    private struct Lists {
        let destination: String
        var objects: [Int64: [ManagedObject]]
    }

    /// Held so that they are not forgotten before they are asked for.
    private(set) var objects: [ManagedObject] = []
    private var lists: [Key: Lists] = [:]

    /// Holds objects until the work ends or the context saves.
    mutating func hold(_ objects: some Sequence<ManagedObject>) { self.objects += objects }

    /// Keeps what a relationship of some objects leads to; of those that are not among `related`, nothing.
    mutating func keep(
        _ related: [Int64: [ManagedObject]], of owners: [ManagedObject], by relationship: RelationshipDescription,
        _ entity: String
    ) {
        let key = Key(entity: entity, relationship: relationship.name)
        var known = lists[key] ?? Lists(destination: relationship.destination, objects: [:])
        for owner in owners { known.objects[owner.rawID] = related[owner.rawID] ?? [] }
        lists[key] = known
    }

    /// What a relationship of an object leads to; `nil` when that is not known.
    func objects(_ relationship: String, of owner: ManagedObject) -> [ManagedObject]? {
        if lists.isEmpty || owner.isGone { return nil }
        return lists[Key(entity: owner.entityName, relationship: relationship)]?.objects[owner.rawID]
    }

    /// Objects of an entity changed: what leads to them may be wrong.
    mutating func forget(destination entity: String) {
        guard !lists.isEmpty else { return }
        lists = lists.filter { $0.value.destination != entity }
    }

    /// A new object came: its identifier may have been another's.
    mutating func forget(newOwner object: ManagedObject) {
        guard !lists.isEmpty else { return }
        for key in lists.keys where key.entity == object.entityName { lists[key]?.objects[object.rawID] = nil }
    }

    /// Pairs of a join table changed: what both sides lead to may be wrong.
    mutating func forget(_ join: JoinDescription) {
        guard !lists.isEmpty else { return }
        lists[Key(entity: join.sourceEntity, relationship: join.sourceRelationship)] = nil
        lists[Key(entity: join.targetEntity, relationship: join.targetRelationship)] = nil
    }

    /// Forgets what relationships lead to, and holds only some objects from now on.
    mutating func forgetLists(holding objects: [ManagedObject]) {
        lists = [:]
        self.objects = objects
    }
}
