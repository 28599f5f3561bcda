import StrataCore

/// The running hooks of a context's record types.
///
/// The value performs no input or output. It determines the effect of a write to an object while a hook runs.
struct HookState {
    /// The effect of a write to an object.
    enum Write {
        /// The write is a change that a save writes.
        case change
        /// The write comes from the hook after a fetch and is not a change.
        case awakening
        /// The write comes from a hook of the same object; if the object is deleted, no data is lost.
        case ownHook
    }

    /// The object whose hook after its fetch is running.
    private var awakening: ManagedObject?
    /// The object for which another hook is running.
    private var hooked: ManagedObject?
    /// The round of the hooks before a save, while they run.
    var round: HookRound?

    /// A Boolean value that indicates whether a save is in progress, whose hooks must not save.
    var isSaving: Bool { round != nil }

    /// Returns the present effect of a write to an object.
    func meaning(ofWriteTo object: ManagedObject) -> Write {
        if object === awakening { return .awakening }
        return object === hooked ? .ownHook : .change
    }

    /// Begins a hook after a fetch.
    ///
    /// - Returns: The object whose hook was running, for ``endAwakening(_:)`` to restore: a hook may read more objects.
    mutating func beginAwakening(_ object: ManagedObject) -> ManagedObject? {
        defer { awakening = object }
        return awakening
    }

    mutating func endAwakening(_ outer: ManagedObject?) { awakening = outer }

    /// Begins another hook.
    ///
    /// - Returns: The object whose hook was running, for ``endHook(_:)`` to restore.
    mutating func beginHook(on object: ManagedObject) -> ManagedObject? {
        defer { hooked = object }
        return hooked
    }

    mutating func endHook(_ outer: ManagedObject?) { hooked = outer }
}

/// The objects whose hook before the current save has run.
struct HookRound {
    private var notified: Set<ObjectIdentifier> = []
    /// The object whose hook is running; its writes to itself need no further round.
    private var current: ObjectIdentifier?

    func isWaiting(_ object: ManagedObject) -> Bool { !notified.contains(ObjectIdentifier(object)) }

    mutating func touched(_ object: ManagedObject) {
        if current != ObjectIdentifier(object) { notified.remove(ObjectIdentifier(object)) }
    }

    mutating func begin(_ object: ManagedObject) {
        notified.insert(ObjectIdentifier(object))
        current = ObjectIdentifier(object)
    }

    mutating func end() { current = nil }
}
