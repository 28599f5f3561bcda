import StrataCore

extension ResolvedRequest {
    /// A Boolean value that indicates whether the request returns rows in the ascending order of their identifiers.
    var isByIdentifier: Bool {
        guard let first = sort.first else { return true }
        guard case .identifier = first.operand.form else { return false }
        return !first.isDescending
    }
}
