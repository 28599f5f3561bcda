import StrataCore

/// A wrapper for the error of a hook, so that the save can rethrow the unwrapped error.
struct HookFailure: Error {
    let underlying: any Error
}

extension ConfinedContext {
    /// The maximum number of rounds of hooks before a save; Core Data has the same maximum.
    private static let maximumHookRounds = 1000

    /// Applies the delete rules and runs the hooks before a save, repeatedly until neither makes further changes.
    ///
    /// - Returns: The failures of objects whose deletion is denied, and of objects that must not lose their reference.
    func prepareForSaving() throws -> [ValidationFailure] {
        for _ in 0..<Self.maximumHookRounds {
            let denials = try propagateDeletes()
            if !counterparts.isEmpty { try reconcileCounterparts() }
            let waiting = hookedObjects().filter { hooks.round?.isWaiting($0) == true }
            if waiting.isEmpty { return denials }
            for object in waiting where object.state != .detached {
                hooks.round?.begin(object)
                defer { hooks.round?.end() }
                do { try run(.willSave, on: object) } catch { throw HookFailure(underlying: error) }
            }
        }
        let names = Set(hookedObjects().map(\.entityName)).sorted().joined(separator: ", ")
        throw PersistenceError(
            .invalidRequest,
            "the hooks before the save (\(names)) changed each other's objects \(Self.maximumHookRounds) times; "
                + "a hook must stop writing at some time: write only values that differ")
    }

    /// Returns the objects of the save whose record types have hooks: new, changed, and deleted objects, entity by
    /// entity.
    func hookedObjects() -> [ManagedObject] {
        let hooked = orderedIdentityMaps.filter(\.traits.hasHooks)
        return hooked.flatMap(\.inserted) + hooked.flatMap { $0.updated.filter(\.hasChanges) }
            + hooked.flatMap(\.deletedInOrder)
    }

    func runDidSave(_ objects: [ManagedObject]) {
        for object in objects {
            // A hook after the save cannot throw, but the shared function that runs hooks can.
            try? run(.didSave, on: object)
        }
    }
}
