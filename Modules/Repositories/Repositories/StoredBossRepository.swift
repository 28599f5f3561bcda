public import StrataDomain
public import StrataPersistence

/// Bosses in a store.
public struct StoredBossRepository: BossRepository, StoredRepository {
    /// The records' type.
    public typealias Record = Boss

    /// Where the bosses are kept.
    public let context: any RecordContext

    /// A repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Makes a boss and saves it.
    @discardableResult
    public func create(firstName: String, lastName: String) async throws -> Boss {
        try await context.insert(Boss.self) { Boss(id: $0, firstName: firstName, lastName: lastName) }
    }
}
