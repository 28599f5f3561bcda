import StrataCore

/// Which hooks of a context's record types are running.
///
/// A value without input or output: it says what a write to an object means while a hook runs.
struct HookState {
    /// What a write to an object counts as.
    enum Write {
        /// As a change that a save writes.
        case change
        /// As what a hook filled in after a fetch: no change.
        case awakening
        /// As what a hook did to its own object; where that is deleted, the write is nobody's loss.
        case ownHook
    }

    /// The object whose hook after its fetch is running.
    private var awakening: ManagedObject?
    /// The object whose hook is running.
    private var hooked: ManagedObject?
    /// While the hooks before a save run: what they touch.
    var round: HookRound?

    /// Whether a save is going on, whose hooks must not save.
    var isSaving: Bool { round != nil }

    /// What a write to an object counts as now.
    func meaning(ofWriteTo object: ManagedObject) -> Write {
        if object === awakening { return .awakening }
        return object === hooked ? .ownHook : .change
    }

    /// Begins a hook after a fetch.
    ///
    /// - Returns: Whose hook was running, to be put back by ``endAwakening(_:)``: a hook may read more objects.
    mutating func beginAwakening(_ object: ManagedObject) -> ManagedObject? {
        defer { awakening = object }
        return awakening
    }

    mutating func endAwakening(_ outer: ManagedObject?) { awakening = outer }

    /// Begins another hook.
    ///
    /// - Returns: Whose hook was running, to be put back by ``endHook(_:)``.
    mutating func beginHook(on object: ManagedObject) -> ManagedObject? {
        defer { hooked = object }
        return hooked
    }

    mutating func endHook(_ outer: ManagedObject?) { hooked = outer }
}

/// Which objects were told of the save that is going on.
struct HookRound {
    private var notified: Set<ObjectIdentifier> = []
    /// The object whose hook is running: what it writes to itself needs no further round.
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
