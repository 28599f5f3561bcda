public import StrataCore
package import StrataFixtures
public import StrataInterchange

/// A producer of the join rows of a many-to-many relationship, for a store or a dataset.
public struct FixturePairs: PairProducer {
    /// The many-to-many relationship whose join rows are produced.
    public let join: JoinDescription
    private let plan: LinkPlan

    /// Creates a producer of the join rows of a many-to-many relationship.
    package init(_ plan: LinkPlan, for join: JoinDescription) {
        self.plan = plan
        self.join = join
    }

    /// The number of join rows.
    public var count: Int { plan.count }

    /// Returns the join row with a number; the identifiers in it are the numbers of the joined rows, from 1.
    public func row(_ number: Int) -> JoinRow { plan.row(number) }
}
