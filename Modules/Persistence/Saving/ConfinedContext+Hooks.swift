/// What a hook threw, so that it reaches the caller as it is.
struct HookFailure: Error {
    let underlying: any Error
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

extension ConfinedContext {
    /// As many rounds as Core Data takes before it gives up.
    private static let maximumHookRounds = 1000

    /// Carries out the delete rules and runs the hooks before a save, until neither changes anything more.
    ///
    /// - Returns: Objects whose deletion is denied, and those whose reference cannot be taken away.
    func prepareForSaving() throws -> [ValidationFailure] {
        for _ in 0..<Self.maximumHookRounds {
            let denials = try propagateDeletes()
            if !unsettledPartners.isEmpty { try settlePartners() }
            let waiting = hookedObjects().filter { hookRound?.isWaiting($0) == true }
            if waiting.isEmpty { return denials }
            for object in waiting where object.state != .detached {
                hookRound?.begin(object)
                defer { hookRound?.end() }
                do { try run(.willSave, on: object) } catch { throw HookFailure(underlying: error) }
            }
        }
        let names = Set(hookedObjects().map(\.entityName)).sorted().joined(separator: ", ")
        throw PersistenceError(
            .invalidRequest,
            "the hooks before the save (\(names)) changed each other's objects \(Self.maximumHookRounds) times; "
                + "a hook must come to an end: compare before you write")
    }

    /// The objects of the save whose types have hooks: new, changed, deleted, entity by entity.
    func hookedObjects() -> [ManagedObject] {
        let hooked = orderedIdentityMaps.filter(\.traits.hasHooks)
        return hooked.flatMap(\.inserted) + hooked.flatMap { $0.updated.filter(\.hasChanges) }
            + hooked.flatMap(\.deletedInOrder)
    }

    func runDidSave(_ objects: [ManagedObject]) {
        for object in objects {
            // A hook after the save cannot throw; the shared way of running hooks can.
            try? run(.didSave, on: object)
        }
    }
}
