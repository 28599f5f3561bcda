public import StrataDomain
public import StrataPersistence

/// A repository of bosses in a store.
public struct StoredBossRepository: BossRepository, StoredRepository {
    /// The type of the records.
    public typealias Record = Boss

    /// The context that reads and saves the bosses.
    public let context: any RecordContext

    /// Creates a repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Creates a boss and saves it.
    @discardableResult
    public func create(firstName: String, lastName: String) async throws -> Boss {
        try await context.insert(Boss.self) { Boss(id: $0, firstName: firstName, lastName: lastName) }
    }
}
