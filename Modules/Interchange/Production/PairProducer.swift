public import StrataCore

/// A source that generates join rows of a many-to-many relationship on demand, by number.
public protocol PairProducer: Sendable {
    /// The relationship.
    var join: JoinDescription { get }

    /// The count of join rows; no two are equal.
    var count: Int { get }

    /// Returns a join row.
    ///
    /// - Parameter number: The number of the join row, from 0 to ``count`` - 1.
    /// - Returns: The join row in the orientation of the join's source and target, with its positions.
    func row(_ number: Int) -> JoinRow
}
