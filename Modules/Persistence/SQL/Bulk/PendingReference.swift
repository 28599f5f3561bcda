import StrataCore

/// A pair that is looked at when all rows are there.
struct PendingPair {
    let join: JoinDescription
    /// Both ends, as the join table keeps them.
    let pair: JoinPair
    /// The number of the inserter that wrote it; `nil` where nobody said what to do with a pair that leads nowhere.
    var inserter: Int?
    /// The row in whose column it stands, and the other end.
    var owner: Int64?
    var other: Int64?
    /// Whether the owner is new, or the pair where it has none.
    var isNew = true
    let location: RowLocation
}

/// A reference that is checked when all rows are there.
struct PendingReference {
    /// The number of the inserter whose row it is.
    let inserter: Int
    let column: Int
    let owner: Int64
    let target: Int64
    /// Whether the row was inserted; otherwise it was there and changed.
    let isNew: Bool
    let location: RowLocation
}
