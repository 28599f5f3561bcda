import StrataCore

/// A join row that is checked after all rows are inserted.
struct PendingPair {
    let join: JoinDescription
    /// Both ends, in the order in which the join table stores them.
    let pair: JoinPair
    /// The number of the inserter that wrote it; `nil` if no option defines the handling of a dangling join row.
    var inserter: Int?
    /// The row whose list column contains the join row, and the other end.
    var owner: Int64?
    var other: Int64?
    /// A Boolean value that indicates whether the owner is new, or the join row if it has no owner.
    var isNew = true
    let location: RowLocation
}

/// A reference that is checked after all rows are inserted.
struct PendingReference {
    /// The number of the inserter that wrote the row.
    let inserter: Int
    let column: Int
    let owner: Int64
    let target: Int64
    /// A Boolean value that indicates whether the row was inserted; otherwise it existed and was changed.
    let isNew: Bool
    let location: RowLocation
}
