public import StrataCore

/// One join row of a many-to-many relationship from the perspective of the relationship's owner.
@usableFromInline
package struct RelatedPair: Sendable, Hashable {
    /// The identifier of the relationship's owner.
    @usableFromInline package let owner: Int64
    /// The identifier of the referenced object.
    @usableFromInline package let other: Int64
    /// The position of the referenced object among the owner's objects; `nil` if the relationship is not ordered.
    package let position: Int64?
    /// The position of the owner among the referenced object's owners; `nil` if the inverse is not ordered.
    package let otherPosition: Int64?

    /// Creates a pair from a join row of a store or a context.
    ///
    /// In a symmetric relationship, the owner is the source of the join row, regardless of its end in the join table.
    @usableFromInline
    package init(_ row: JoinRow, of join: JoinDescription, ownerIsSource: Bool) {
        let isSource = ownerIsSource || join.isSymmetric
        owner = isSource ? row.pair.source : row.pair.target
        other = isSource ? row.pair.target : row.pair.source
        position = isSource ? row.sourcePosition : row.targetPosition
        otherPosition = isSource ? row.targetPosition : row.sourcePosition
    }

    /// Returns a Boolean value that indicates whether a pair precedes another one in the order in which stores return
    /// pairs.
    ///
    /// Pairs are sorted by owner, then by position with null first, then by the referenced object's identifier.
    @usableFromInline
    package static func precedes(_ left: RelatedPair, _ right: RelatedPair) -> Bool {
        if left.owner != right.owner { return left.owner < right.owner }
        let positions = (left.position ?? Int64.min, right.position ?? Int64.min)
        return positions.0 != positions.1 ? positions.0 < positions.1 : left.other < right.other
    }
}
