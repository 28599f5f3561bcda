import StrataCore

extension ConfinedContext {
    /// Carries out what follows from the changes made so far: delete rules, and one-to-one partners that lost theirs.
    ///
    /// Done by itself before everything that reads, and by a save.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    public func processPendingChanges() throws {
        if isSettling { return }
        try parent.context?.processPendingChanges()
        // What is denied is checked by the save.
        if deletions.isPending { _ = try propagateDeletes(isComplete: false) }
        if !partners.isEmpty { try settlePartners() }
    }

    /// Runs `body`, during which reading carries out nothing: what is going on is not complete yet.
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
