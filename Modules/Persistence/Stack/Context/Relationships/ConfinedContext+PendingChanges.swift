import StrataCore

extension ConfinedContext {
    /// Applies delete rules for earlier deletions, and removes one-to-one counterparts from their previous owners.
    ///
    /// Every read and every save applies these changes automatically.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func processPendingChanges() throws {
        if isSettling { return }
        try parent.context?.processPendingChanges()
        // The save checks for denied deletions.
        if deletions.isPending { _ = try propagateDeletes(isComplete: false) }
        if !counterparts.isEmpty { try reconcileCounterparts() }
    }

    /// Runs `body`; reads inside it apply no pending changes, because the current operation is not complete yet.
    func settling<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasSettling = isSettling
        isSettling = true
        defer { isSettling = wasSettling }
        return try body()
    }

    func propagateDeletes(isComplete: Bool = true) throws -> [ValidationFailure] {
        guard deletions.hasDiscarded || identityMaps.values.contains(where: { !$0.deleted.isEmpty }) else {
            deletions.propagated()
            return []
        }
        var propagation = DeletePropagation(self, isComplete: isComplete)
        let failures = try settling { try propagation.run() }
        deletions.propagated()
        return failures
    }
}
