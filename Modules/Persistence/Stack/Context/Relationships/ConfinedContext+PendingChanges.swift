import StrataCore

extension ConfinedContext {
    /// Applies the consequences of earlier changes: delete rules, and the loss of one-to-one counterparts.
    ///
    /// Every read and every save does this automatically.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func processPendingChanges() throws {
        if isSettling { return }
        try parent.context?.processPendingChanges()
        // The save checks for denied deletions.
        if deletions.isPending { _ = try propagateDeletes(isComplete: false) }
        if !counterparts.isEmpty { try reconcileCounterparts() }
    }

    /// Runs `body`, during which reads apply no pending changes, because the present operation is not complete yet.
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
