extension FetchComparison {
    /// Whether it asks for sameness and not for an order.
    package var isEquality: Bool { self == .equal || self == .notEqual }

    /// The same comparison with its sides exchanged.
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
