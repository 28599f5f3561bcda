import StrataCore

extension ResolvedRequest {
    /// Whether rows come by their identifiers, ascending.
    var isByIdentifier: Bool {
        guard let first = sort.first else { return true }
        guard case .identifier = first.operand.form else { return false }
        return !first.isDescending
    }

    /// Whether SQLite is likely to come to the rows in the order in which they are asked for, and need not sort them.
    ///
    /// Where it does sort after all, whoever relied on this finds out from the statement, and the first run was in vain.
    var comesInOrder: Bool { isByIdentifier && condition?.keepsOrder ?? true }
}

extension ResolvedCondition {
    /// Whether what an index has for it stands in the order of identifiers, as the table does: the rows of one value do, those of several do not.
    fileprivate var keepsOrder: Bool {
        switch form {
        case .constant, .isTrue, .compare(_, .equal, _): true
        case .compare(let left, _, let right): left.isIdentifier || right.isIdentifier
        case .all(let conditions): conditions.allSatisfy(\.keepsOrder)
        default: false
        }
    }
}

extension ResolvedOperand {
    fileprivate var isIdentifier: Bool { if case .identifier = form { true } else { false } }
}
