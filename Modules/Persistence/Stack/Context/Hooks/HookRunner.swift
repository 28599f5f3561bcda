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

/// A kind of hook, for code that does not know the record type.
enum LifecycleHook {
    case awakeFromInsert, awakeFromFetch, prepareForDeletion, willSave, didSave
}

/// A wrapper for the error of a hook, so that the save can rethrow the unwrapped error.
struct HookFailure: Error {
    let underlying: any Error
}

/// The type that calls the hooks of record types.
///
/// The hooks receive the `ConfinedContext`, which is above `HookRunner`. The context therefore conforms, and the runner
/// calls it through this protocol.
protocol HookCaller: AnyObject {
    /// Calls a hook of an object.
    func call(_ hook: LifecycleHook, on object: ManagedObject) throws
}

/// The calls of the hooks of a context's objects.
///
/// Its state describes the running hooks and determines the effect of a write meanwhile. It is confined to the
/// context's queue.
final class HookRunner {
    private var state = HookState()
    private unowned var caller: (any HookCaller)?

    /// Sets the caller of the hooks, once: the runner is created before the context that calls the hooks.
    ///
    /// The runner does not retain the caller, because a context owns its runner.
    func attach(_ caller: any HookCaller) { self.caller = caller }

    private func call(_ hook: LifecycleHook, _ object: ManagedObject) throws { try caller?.call(hook, on: object) }

    /// Returns the effect that a write to an object has at present.
    func meaning(ofWriteTo object: ManagedObject) -> HookState.Write { state.meaning(ofWriteTo: object) }

    /// Runs the hook of a fetched object; a write of the hook to the object does not count as a change.
    func awaken(_ object: ManagedObject) throws {
        let outer = state.beginAwakening(object)
        defer { state.endAwakening(outer) }
        try call(.awakeFromFetch, object)
    }

    /// Runs the hook of a new object; writes of the hook to the object count as changes.
    func awakenInserted(_ object: ManagedObject) throws { try call(.awakeFromInsert, object) }

    /// Runs the hook of an object that is about to be deleted.
    func prepareForDeletion(_ object: ManagedObject) {
        // This hook does not throw, but the closure that runs hooks can.
        try? run(.prepareForDeletion, on: object)
    }

    /// Runs a hook of an object, which may write to the object even if the object is deleted.
    private func run(_ hook: LifecycleHook, on object: ManagedObject) throws {
        let outer = state.beginHook(on: object)
        defer { state.endHook(outer) }
        try call(hook, object)
    }

    // MARK: Saving

    /// A Boolean value that indicates whether the hooks before a save are running; they must not save the context.
    var isSaving: Bool { state.isSaving }

    /// Begins the rounds of hooks before a save.
    func beginSave() { state.round = HookRound() }

    /// Ends the rounds of hooks before a save.
    func endSave() { state.round = nil }

    /// Returns a Boolean value that indicates whether the hook before the running save must run for an object.
    func isWaiting(_ object: ManagedObject) -> Bool { state.round?.isWaiting(object) == true }

    /// Records that an object was changed or inserted, so that its hook before the running save must run again.
    func noteChange(of object: ManagedObject) { state.round?.touched(object) }

    /// Runs the hook of an object before a save.
    ///
    /// - Throws: `HookFailure` with the error of the hook.
    func runWillSave(on object: ManagedObject) throws {
        state.round?.begin(object)
        defer { state.round?.end() }
        do { try run(.willSave, on: object) } catch { throw HookFailure(underlying: error) }
    }

    /// Runs the hooks of objects after a save.
    func runDidSave(on objects: [ManagedObject]) {
        // A hook after the save does not throw, but the closure that runs hooks can.
        for object in objects { try? run(.didSave, on: object) }
    }
}
