import StrataCore

extension ResolvedRequest {
    /// Whether rows come by their identifiers, ascending.
    var isByIdentifier: Bool {
        guard let first = sort.first else { return true }
        guard case .identifier = first.operand.form else { return false }
        return !first.isDescending
    }
}
