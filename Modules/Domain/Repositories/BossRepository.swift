/// Where bosses are kept.
public protocol BossRepository: Repository where Record == Boss {
    /// Saves a new boss and returns it with its identifier.
    @discardableResult
    func create(firstName: String, lastName: String) async throws -> Boss
}

extension BossRepository {
    /// Deletes the boss that this record shows, and returns false where there was none.
    ///
    /// Only the id is read, and before the caller's executor is left: a managed object may be passed.
    @discardableResult
    public nonisolated(nonsending) func delete(_ boss: some BossRecord) async throws -> Bool {
        try await delete(boss.id)
    }
}
