import StrataCore

/// What a context knows of deletions that were not saved yet, beside the objects' own states.
///
/// A value without input or output: ``DeletePropagation`` reads it and carries out the rules.
struct DeletionState {
    /// What was deleted since the delete rules were carried out last.
    private(set) var unpropagated: [ManagedObject] = []
    /// New objects that were deleted again, by entity and identifier: who points to them is still subject to the delete rules.
    private var discarded: [String: [Int64: ManagedObject]] = [:]
    /// The objects whose hook before deletion is running.
    private var inHook: Set<ObjectIdentifier> = []

    /// Whether delete rules wait to be carried out.
    var isPending: Bool { !unpropagated.isEmpty }

    /// Whether a new object was deleted again.
    var hasDiscarded: Bool { !discarded.isEmpty }

    /// Notes that an object was deleted.
    mutating func note(_ object: ManagedObject) { unpropagated.append(object) }

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
    mutating func propagated() { unpropagated = [] }

    /// Begins the hook before an object's deletion.
    ///
    /// - Returns: Whether it is to run; false while it is running already, since objects whose hooks delete each other are deleted once.
    mutating func beginHook(_ object: ManagedObject) -> Bool { inHook.insert(ObjectIdentifier(object)).inserted }

    mutating func endHook(_ object: ManagedObject) { inHook.remove(ObjectIdentifier(object)) }

    /// After a save or a rollback: nothing is deleted that was not saved.
    mutating func clear() { (unpropagated, discarded) = ([], [:]) }
}
