extension FetchComparison {
    /// A Boolean value that indicates whether the comparison tests equality and not an order.
    package var isEquality: Bool { self == .equal || self == .notEqual }

    /// The equivalent comparison for exchanged sides.
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
