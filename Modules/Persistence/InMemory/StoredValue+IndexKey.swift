import StrataCore

extension StoredValue {
    /// A number that equal values share, under which an index keeps rows.
    ///
    /// Values that differ may share it too, so that who looks rows up by it compares their values. A whole number is its own key, of whichever kind it is: rows
    /// that refer to one object lie together, and nothing is kept of a text.
    var indexKey: Int64 {
        switch self {
        case .null: Int64.min
        case .integer(let number): number
        case .double(let number): Int64(exactly: number) ?? Int64(truncatingIfNeeded: hashValue)
        case .decimal(let number): number.rescaled(to: 0)?.unscaled ?? Int64(truncatingIfNeeded: hashValue)
        default: Int64(truncatingIfNeeded: hashValue)
        }
    }
}

extension [StoredValue] {
    /// One number for the values together: equal values have equal ones, and now and then others too.
    var indexKey: Int64 { reduce(into: 0) { key, value in key = key &* 1_000_003 &+ value.indexKey } }
}
