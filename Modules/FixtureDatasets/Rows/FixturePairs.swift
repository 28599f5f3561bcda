public import StrataCore
package import StrataFixtures
public import StrataInterchange

/// Makes the pairs of a many-to-many relationship's fixtures as a store or a dataset takes them.
public struct FixturePairs: PairProducer {
    /// The relationship.
    public let join: JoinDescription
    private let plan: LinkPlan

    /// Prepares pairs.
    package init(_ plan: LinkPlan, for join: JoinDescription) {
        self.plan = plan
        self.join = join
    }

    /// How many pairs there are.
    public var count: Int { plan.count }

    /// A pair; identifiers are the numbers of rows from 1.
    public func row(_ number: Int) -> JoinRow { plan.row(number) }
}
