public import StrataCore

/// Pairs of a many-to-many relationship that are made when they are needed: by number.
public protocol PairProducer: Sendable {
    /// The relationship.
    var join: JoinDescription { get }

    /// How many pairs there are; no two are the same.
    var count: Int { get }

    /// A pair.
    ///
    /// - Parameter number: From 0 up to, not including, ``count``.
    /// - Returns: The pair, in the orientation of the join's source and target, with the positions that it has.
    func row(_ number: Int) -> JoinRow
}
