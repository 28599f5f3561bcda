import StrataCore

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
