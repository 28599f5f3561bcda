extension FetchComparison {
    /// A Boolean value that indicates whether the comparison is `equal` or `notEqual`, and not one of order.
    package var isEquality: Bool { self == .equal || self == .notEqual }

    /// The comparison that has the same result if its left and right operands are exchanged: `less` becomes `greater`.
    package var mirrored: FetchComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
