import StrataCore

/// The running hooks of a context.
///
/// The value determines the effect of a write to an object while a hook runs.
struct HookState {
    /// The effect of a write to an object.
    enum Write {
        /// The write is a change, which a save writes.
        case change
        /// The write comes from ``LifecycleHooks/awakeFromFetch(_:in:)`` of the same object and is not a change.
        case awakening
        /// The write comes from another hook of the same object; if the object is deleted, the write causes no error.
        case ownHook
    }

    /// The object whose hook ``LifecycleHooks/awakeFromFetch(_:in:)`` is running.
    private var awakening: ManagedObject?
    /// The object for which a hook of another kind is running.
    private var hooked: ManagedObject?
    /// The round of hooks before a save, or `nil` if no such round is running.
    var round: HookRound?

    /// A Boolean value that indicates whether the hooks before a save are running; they must not save the context.
    var isSaving: Bool { round != nil }

    /// Returns the effect that a write to an object has at present.
    func meaning(ofWriteTo object: ManagedObject) -> Write {
        if object === awakening { return .awakening }
        return object === hooked ? .ownHook : .change
    }

    /// Begins the hook ``LifecycleHooks/awakeFromFetch(_:in:)`` of an object.
    ///
    /// - Returns: The object whose hook was running before, since a hook may fetch other objects; pass it to
    ///   ``endAwakening(_:)``.
    mutating func beginAwakening(_ object: ManagedObject) -> ManagedObject? {
        defer { awakening = object }
        return awakening
    }

    mutating func endAwakening(_ outer: ManagedObject?) { awakening = outer }

    /// Begins a hook of another kind.
    ///
    /// - Returns: The object whose hook was running before; pass it to ``endHook(_:)``.
    mutating func beginHook(on object: ManagedObject) -> ManagedObject? {
        defer { hooked = object }
        return hooked
    }

    mutating func endHook(_ outer: ManagedObject?) { hooked = outer }
}

/// The objects for which ``LifecycleHooks/willSave(_:in:)`` has run before the current save.
struct HookRound {
    private var notified: Set<ObjectIdentifier> = []
    /// The object whose hook is running; if the hook writes to its own object, no further round is needed.
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
