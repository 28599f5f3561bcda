public import StrataCore
package import StrataFixtures
public import StrataInterchange

/// A producer of the join rows of a many-to-many relationship, for a store or a dataset.
///
/// Each join row is computed from its number, so no list of join rows is kept in memory. No join row occurs twice.
///
/// ## Topics
///
/// ### Describing the join rows
///
/// - ``join``
/// - ``count``
///
/// ### Generating join rows
///
/// - ``row(_:)``
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
    ///
    /// The description determines it with the `links` of the source entity.
    public var count: Int { plan.count }

    /// Returns the join row with a number; the identifiers in it are the numbers of the joined rows, from 1.
    ///
    /// - Parameter number: The number, from 0 and less than ``count``.
    /// - Returns: The join row, with positions for the ordered ends of the relationship.
    /// - Complexity: Constant on average.
    public func row(_ number: Int) -> JoinRow { plan.row(number) }
}
