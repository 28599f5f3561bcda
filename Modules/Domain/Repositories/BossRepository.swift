/// A repository of bosses.
public protocol BossRepository: Repository where Record == Boss {
    /// Saves a new boss and returns it with its identifier.
    ///
    /// - Parameters:
    ///   - firstName: The given name, which may be empty.
    ///   - lastName: The family name, which may be empty.
    /// - Returns: The saved boss.
    /// - Throws: The error of the storage.
    @discardableResult
    func create(firstName: String, lastName: String) async throws -> Boss
}

extension BossRepository {
    /// Deletes the boss that has this record's identifier, and returns `false` if the repository has none.
    ///
    /// The method reads only the id, and reads it before it leaves the caller's executor. The caller may pass a managed
    /// object.
    @discardableResult
    public nonisolated(nonsending) func delete(_ boss: some BossRecord) async throws -> Bool {
        try await delete(boss.id)
    }
}
