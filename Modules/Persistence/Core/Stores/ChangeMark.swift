/// When rows of an entity may have changed last: two marks of a store are equal only where none did in between, whoever writes.
public struct ChangeMark: Hashable, Sendable {
    /// How many transactions of this store object may have changed such rows.
    public var commits: Int64
    /// A number that is another after every transaction of anybody else.
    public var others: Int64

    /// A mark.
    public init(commits: Int64, others: Int64) {
        self.commits = commits
        self.others = others
    }

    /// The mark after one transaction of this store object that may have changed such rows, where it is the only one: else no mark will be like it.
    package var afterOneCommit: ChangeMark { ChangeMark(commits: commits + 1, others: others) }
}

/// Counts a store's transactions, for its ``ChangeMark``s.
package struct CommitCounts: Sendable {
    private var everything: Int64 = 0
    private var entities: [String: Int64] = [:]

    package init() {}

    /// How many transactions may have changed an entity's rows.
    package func commits(of entity: String) -> Int64 { everything + entities[entity, default: 0] }

    /// Counts a save, once for each entity; whose pairs changed is not looked at.
    package mutating func count(_ changes: ChangeSet) {
        guard changes.joins.isEmpty else { return countEverything() }
        for entity in changes.entities.keys { entities[entity, default: 0] += 1 }
    }

    /// Counts a transaction that may have changed anything.
    package mutating func countEverything() { everything += 1 }
}
