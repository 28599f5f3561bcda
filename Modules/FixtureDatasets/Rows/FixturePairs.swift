public import StrataCore
package import StrataFixtures
public import StrataInterchange

/// A producer of the join rows of a many-to-many relationship, for a store or a dataset.
public struct FixturePairs: PairProducer {
    /// The relationship.
    public let join: JoinDescription
    private let plan: LinkPlan

    /// Creates a producer of join rows.
    package init(_ plan: LinkPlan, for join: JoinDescription) {
        self.plan = plan
        self.join = join
    }

    /// The number of join rows.
    public var count: Int { plan.count }

    /// Returns a join row, whose identifiers are the numbers of rows from 1.
    public func row(_ number: Int) -> JoinRow { plan.row(number) }
}
