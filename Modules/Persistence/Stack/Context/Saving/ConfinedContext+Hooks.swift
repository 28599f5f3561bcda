import StrataCore

/// What a hook threw, so that it reaches the caller as it is.
struct HookFailure: Error {
    let underlying: any Error
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
            if !partners.isEmpty { try settlePartners() }
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
