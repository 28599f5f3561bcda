import StrataCore

/// The unsaved deletions of a context.
///
/// This value only stores the deletions; ``DeletePropagation`` reads it and applies the delete rules.
struct DeletionState {
    /// The objects that were deleted since the delete rules were last applied.
    private(set) var unpropagated: [ManagedObject] = []
    /// The new objects that were deleted before they were saved, by entity and identifier.
    ///
    /// The delete rules still apply to references to them.
    private var discarded: [String: [Int64: ManagedObject]] = [:]
    /// The names of the entities whose objects pending delete rules may delete, or `nil` if they are not determined
    /// yet.
    private var reached: Set<String>?
    /// The objects whose hook ``LifecycleHooks/prepareForDeletion(_:in:)`` is running.
    private var inHook: Set<ObjectIdentifier> = []

    /// A Boolean value that indicates whether the delete rules of a deleted object are not applied yet.
    var isPending: Bool { !unpropagated.isEmpty }

    /// A Boolean value that indicates whether a new object was deleted before it was saved.
    var hasDiscarded: Bool { !discarded.isEmpty }

    /// Records that an object was deleted.
    mutating func note(_ object: ManagedObject) {
        unpropagated.append(object)
        reached = nil
    }

    /// Returns a Boolean value that indicates whether pending delete rules may delete objects of an entity.
    mutating func mayReach(_ entity: String, in model: ManagedObjectModel) -> Bool {
        guard isPending else { return false }
        if let reached { return reached.contains(entity) }
        let found = model.cascaded(from: Set(unpropagated.map(\.entityName)))
        reached = found
        return found.contains(entity)
    }

    /// Records that a new object was deleted before it was saved.
    mutating func discard(_ object: ManagedObject) {
        discarded[object.entityName, default: [:]][object.rawID] = object
    }

    /// Returns a Boolean value that indicates whether new objects of an entity were deleted before they were saved.
    func hasDiscarded(of entity: String) -> Bool { discarded[entity]?.isEmpty == false }

    /// Returns a Boolean value that indicates whether the new object with an identifier was deleted before it was
    /// saved.
    func isDiscarded(_ id: Int64, of entity: String) -> Bool { discarded[entity]?[id] != nil }

    /// Returns the new objects of an entity that were deleted before they were saved, ordered by identifier.
    func discardedObjects(of entity: String) -> [ManagedObject] {
        (discarded[entity] ?? [:]).values.sorted { $0.rawID < $1.rawID }
    }

    /// Removes a new object that was deleted before it was saved, because another object receives its identifier.
    mutating func forgetDiscarded(_ id: Int64, of entity: String) {
        discarded[entity]?[id] = nil
        if discarded[entity]?.isEmpty == true { discarded[entity] = nil }
    }

    /// Records that the delete rules were applied.
    mutating func propagated() { (unpropagated, reached) = ([], nil) }

    /// Begins the hook that runs before an object's deletion.
    ///
    /// - Returns: `true` if the hook must run. `false` if it is running already, so that two objects whose hooks delete
    ///   each other are deleted only once.
    mutating func beginHook(_ object: ManagedObject) -> Bool { inHook.insert(ObjectIdentifier(object)).inserted }

    mutating func endHook(_ object: ManagedObject) { inHook.remove(ObjectIdentifier(object)) }

    /// Removes all deletions, after a save or a rollback.
    mutating func clear() { (unpropagated, discarded, reached) = ([], [:], nil) }
}

extension ManagedObjectModel {
    /// Returns the entities whose objects cascades may delete if objects of the given entities are deleted.
    fileprivate func cascaded(from entities: Set<String>) -> Set<String> {
        var found: Set<String> = []
        var waiting = Array(entities)
        while let name = waiting.popLast() {
            for relationship in self[name]?.relationships ?? [] where relationship.deleteRule == .cascade {
                if found.insert(relationship.destination).inserted { waiting.append(relationship.destination) }
            }
        }
        return found
    }
}
