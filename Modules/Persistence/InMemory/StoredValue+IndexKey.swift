import StrataCore

extension StoredValue {
    /// A number that is the same for equal values, and under which an index stores rows.
    ///
    /// Different values can have the same key, so a lookup must compare the values. An integer is its own key,
    /// regardless of its type. Rows that reference the same object are therefore adjacent, and the index stores no
    /// texts.
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
    /// A combined number of the values; it is the same for equal values, and rarely for different ones.
    var indexKey: Int64 { reduce(into: 0) { key, value in key = key &* 1_000_003 &+ value.indexKey } }
}
