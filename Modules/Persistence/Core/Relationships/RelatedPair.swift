/// One pair of a many-to-many relationship, seen from its owner.
@usableFromInline
package struct RelatedPair: Sendable, Hashable {
    /// Whose relationship it is.
    @usableFromInline package let owner: Int64
    /// To whom it leads.
    @usableFromInline package let other: Int64
    /// The other's place among the owner's, where the relationship is ordered.
    package let position: Int64?
    /// The owner's place among the other's, where that side is ordered.
    package let otherPosition: Int64?

    /// A pair as a store or a context gives it: a symmetric one has its owner as its source, whichever end that is.
    @usableFromInline
    package init(_ row: JoinRow, of join: JoinDescription, ownerIsSource: Bool) {
        let isSource = ownerIsSource || join.isSymmetric
        owner = isSource ? row.pair.source : row.pair.target
        other = isSource ? row.pair.target : row.pair.source
        position = isSource ? row.sourcePosition : row.targetPosition
        otherPosition = isSource ? row.targetPosition : row.sourcePosition
    }

    /// By owner, then by position, null first, then by the other's identifier: as stores order them.
    @usableFromInline
    package static func precedes(_ left: RelatedPair, _ right: RelatedPair) -> Bool {
        if left.owner != right.owner { return left.owner < right.owner }
        let positions = (left.position ?? Int64.min, right.position ?? Int64.min)
        return positions.0 != positions.1 ? positions.0 < positions.1 : left.other < right.other
    }
}
