import StrataCore

/// What a context knows of deletions that were not saved yet, beside the objects' own states.
///
/// A value without input or output: ``DeletePropagation`` reads it and carries out the rules.
struct DeletionState {
    /// What was deleted since the delete rules were carried out last.
    private(set) var unpropagated: [ManagedObject] = []
    /// New objects that were deleted again, by entity and identifier: who points to them is still subject to the delete rules.
    private var discarded: [String: [Int64: ManagedObject]] = [:]
    /// The entities of which delete rules that wait may delete objects, once somebody asked.
    private var reached: Set<String>?
    /// The objects whose hook before deletion is running.
    private var inHook: Set<ObjectIdentifier> = []

    /// Whether delete rules wait to be carried out.
    var isPending: Bool { !unpropagated.isEmpty }

    /// Whether a new object was deleted again.
    var hasDiscarded: Bool { !discarded.isEmpty }

    /// Notes that an object was deleted.
    mutating func note(_ object: ManagedObject) {
        unpropagated.append(object)
        reached = nil
    }

    /// Whether delete rules that wait may delete objects of an entity.
    mutating func mayReach(_ entity: String, in model: ManagedObjectModel) -> Bool {
        guard isPending else { return false }
        if let reached { return reached.contains(entity) }
        let found = model.cascaded(from: Set(unpropagated.map(\.entityName)))
        reached = found
        return found.contains(entity)
    }

    /// Notes that a new object was deleted again.
    mutating func discard(_ object: ManagedObject) {
        discarded[object.entityName, default: [:]][object.rawID] = object
    }

    /// Whether an entity has new objects that were deleted again.
    func hasDiscarded(of entity: String) -> Bool { discarded[entity]?.isEmpty == false }

    /// Whether the new object with an identifier was deleted again.
    func isDiscarded(_ id: Int64, of entity: String) -> Bool { discarded[entity]?[id] != nil }

    /// An entity's new objects that were deleted again, by identifier.
    func discardedObjects(of entity: String) -> [ManagedObject] {
        (discarded[entity] ?? [:]).values.sorted { $0.rawID < $1.rawID }
    }

    /// Forgets a new object that was deleted again: another one gets its identifier.
    mutating func forgetDiscarded(_ id: Int64, of entity: String) {
        discarded[entity]?[id] = nil
        if discarded[entity]?.isEmpty == true { discarded[entity] = nil }
    }

    /// Notes that the delete rules were carried out.
    mutating func propagated() { (unpropagated, reached) = ([], nil) }

    /// Begins the hook before an object's deletion.
    ///
    /// - Returns: Whether it is to run; false while it is running already, since objects whose hooks delete each other are deleted once.
    mutating func beginHook(_ object: ManagedObject) -> Bool { inHook.insert(ObjectIdentifier(object)).inserted }

    mutating func endHook(_ object: ManagedObject) { inHook.remove(ObjectIdentifier(object)) }

    /// After a save or a rollback: nothing is deleted that was not saved.
    mutating func clear() { (unpropagated, discarded, reached) = ([], [:], nil) }
}

extension ManagedObjectModel {
    /// The entities of which objects go with those of some entities, by cascades.
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
