import StrataCore

/// The unsaved deletions of a context, in addition to the states of the objects.
///
/// The value performs no input or output: ``DeletePropagation`` reads it and applies the delete rules.
struct DeletionState {
    /// The objects that were deleted since the delete rules were last applied.
    private(set) var unpropagated: [ManagedObject] = []
    /// New objects that were deleted again, by entity and identifier.
    ///
    /// References to them are still subject to the delete rules.
    private var discarded: [String: [Int64: ManagedObject]] = [:]
    /// The entities whose objects pending delete rules may delete; `nil` until they are needed.
    private var reached: Set<String>?
    /// The objects whose hook before deletion is running.
    private var inHook: Set<ObjectIdentifier> = []

    /// A Boolean value that indicates whether delete rules wait to be applied.
    var isPending: Bool { !unpropagated.isEmpty }

    /// A Boolean value that indicates whether a new object was deleted again.
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

    /// Records that a new object was deleted again.
    mutating func discard(_ object: ManagedObject) {
        discarded[object.entityName, default: [:]][object.rawID] = object
    }

    /// Returns a Boolean value that indicates whether an entity has new objects that were deleted again.
    func hasDiscarded(of entity: String) -> Bool { discarded[entity]?.isEmpty == false }

    /// Returns a Boolean value that indicates whether the new object with an identifier was deleted again.
    func isDiscarded(_ id: Int64, of entity: String) -> Bool { discarded[entity]?[id] != nil }

    /// Returns an entity's new objects that were deleted again, ordered by identifier.
    func discardedObjects(of entity: String) -> [ManagedObject] {
        (discarded[entity] ?? [:]).values.sorted { $0.rawID < $1.rawID }
    }

    /// Forgets a new object that was deleted again, because another object receives its identifier.
    mutating func forgetDiscarded(_ id: Int64, of entity: String) {
        discarded[entity]?[id] = nil
        if discarded[entity]?.isEmpty == true { discarded[entity] = nil }
    }

    /// Records that the delete rules were applied.
    mutating func propagated() { (unpropagated, reached) = ([], nil) }

    /// Begins the hook before an object's deletion.
    ///
    /// - Returns: A Boolean value that indicates whether the hook must run. It is `false` while the hook is running,
    ///   since objects whose hooks delete each other are deleted only once.
    mutating func beginHook(_ object: ManagedObject) -> Bool { inHook.insert(ObjectIdentifier(object)).inserted }

    mutating func endHook(_ object: ManagedObject) { inHook.remove(ObjectIdentifier(object)) }

    /// Forgets all deletions, after a save or a rollback.
    mutating func clear() { (unpropagated, discarded, reached) = ([], [:], nil) }
}

extension ManagedObjectModel {
    /// Returns the entities whose objects cascades delete together with objects of the given entities.
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
