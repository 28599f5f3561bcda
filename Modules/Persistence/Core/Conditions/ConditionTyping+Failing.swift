/// What can be an error when it is evaluated, so that the order of evaluation matters.
extension ConditionTyping {
    package func mayFail(_ condition: FetchCondition) -> Bool {
        switch condition {
        case .constant: false
        case .compare(let left, _, let right), .contains(let left, let right, _), .startsWith(let left, let right, _),
            .endsWith(let left, let right, _):
            mayFail(left) || mayFail(right)
        case .isTrue(let operand), .isIn(let operand, _), .like(let operand, _, _): mayFail(operand)
        case .all(let conditions), .any(let conditions): conditions.contains(where: mayFail)
        case .not(let condition): mayFail(condition)
        case .related(let name, let condition): mayFail(condition, of: name)
        }
    }

    package func mayFail(_ operand: FetchOperand) -> Bool {
        switch operand {
        case .property, .constant: false
        case .arithmetic, .negated: true
        case .coalesce(let left, let right): mayFail(left) || mayFail(right) || isScaled(left, right)
        case .conditional(let condition, let left, let right):
            mayFail(condition) || mayFail(left) || mayFail(right) || isScaled(left, right)
        case .truth(let condition): mayFail(condition)
        case .relatedCount(let name, let condition): mayFail(condition, of: name)
        case .related(let name, let operand): (try? destination(name))?.mayFail(operand) ?? false
        }
    }

    private func mayFail(_ condition: FetchCondition, of relationship: String) -> Bool {
        // A relationship that does not exist is refused by the check, which says why.
        guard let destination = try? destination(relationship) else { return false }
        return destination.mayFail(condition)
    }

    /// Whether one of two operands is brought to the other's scale, which overflows for great numbers.
    private func isScaled(_ left: FetchOperand, _ right: FetchOperand) -> Bool {
        // An operand without a type is refused by the check, which says why; here it only scales nothing.
        guard let left = try? type(of: left).kind, let right = try? type(of: right).kind, left != .null, right != .null
        else { return false }
        return left.scale != right.scale
    }
}
