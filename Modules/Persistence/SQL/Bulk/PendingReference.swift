import StrataCore

/// A join row whose two ends are checked after all rows are inserted.
struct PendingPair {
    let join: JoinDescription
    /// The identifiers of the source and the target, in the order in which the join table stores them.
    let pair: JoinPair
    /// The number of the inserter that wrote the join row; `nil` if no insert options define how to handle the join row
    /// if it is dangling.
    var inserter: Int?
    /// The identifier of the entity row whose list column contains the join row; `nil` if the input has the join row as
    /// a separate record.
    var owner: Int64?
    var other: Int64?
    /// A Boolean value that indicates whether the owner was inserted; without an owner, whether the join row was
    /// inserted.
    var isNew = true
    let location: RowLocation
}

/// A to-one reference whose target is checked after all rows are inserted.
struct PendingReference {
    /// The number of the inserter that wrote the referring row.
    let inserter: Int
    let column: Int
    let owner: Int64
    let target: Int64
    /// A Boolean value that indicates whether the referring row was inserted; if false, an existing row was updated.
    let isNew: Bool
    let location: RowLocation
}
