import Foundation
import StrataCore
import StrataStoreKit

extension PredicateExpressions.Conjunction: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .condition(try lowering.condition(lhs) && lowering.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .condition(try lowering.condition(lhs) || lowering.condition(rhs))
    }
}

extension PredicateExpressions.Negation: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .condition(.not(try lowering.condition(wrapped)))
    }
}

extension PredicateExpressions.Equal: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .condition(.compare(try lowering.operand(lhs), .equal, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .condition(.compare(try lowering.operand(lhs), .notEqual, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.Comparison: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let comparison: FetchComparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw lowering.untranslatable(Self.self, "an operator this version does not know")
            }
        return .condition(.compare(try lowering.operand(lhs), comparison, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let operation: FetchArithmetic =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw lowering.untranslatable(Self.self, "an operator this version does not know")
            }
        return .operand(.arithmetic(try lowering.operand(lhs), operation, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .operand(.arithmetic(try lowering.operand(lhs), .divide, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .operand(.arithmetic(try lowering.operand(lhs), .divideWhole, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .operand(.arithmetic(try lowering.operand(lhs), .remainder, try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let operand = try lowering.operand(wrapped)
        if case .constant(let value) = operand { return .operand(.constant(try value.negated())) }
        return .operand(.negated(operand))
    }
}

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        guard Base.Output.self is any StringProtocol.Type else {
            throw lowering.untranslatable(Self.self, "only texts can be searched for a part")
        }
        return .condition(.contains(try lowering.operand(base), try lowering.operand(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        guard Base.Output.self is any StringProtocol.Type else {
            throw lowering.untranslatable(Self.self, "only texts can be searched for a beginning")
        }
        return .condition(.startsWith(try lowering.operand(base), try lowering.operand(prefix)))
    }
}

extension PredicateExpressions.SequenceContains: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let member = try lowering.operand(element)
        switch try lowering.part(sequence) {
        case .values(let values): return .condition(.isIn(member, values))
        case .range(let lower, let upper, let includesUpper):
            return .condition(member.isBetween(.constant(lower), and: .constant(upper), includesUpper: includesUpper))
        case .bounds(let lower, let upper, let includesUpper):
            return .condition(member.isBetween(lower, and: upper, includesUpper: includesUpper))
        default: throw lowering.untranslatable(Self.self, "the list must be a captured array, set or range")
        }
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let member = try lowering.operand(element)
        switch try lowering.part(range) {
        case .range(let lower, let upper, let includesUpper):
            return .condition(member.isBetween(.constant(lower), and: .constant(upper), includesUpper: includesUpper))
        case .bounds(let lower, let upper, let includesUpper):
            return .condition(member.isBetween(lower, and: upper, includesUpper: includesUpper))
        default: throw lowering.untranslatable(Self.self, "the range must have two bounds")
        }
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .bounds(lower: try lowering.operand(lower), upper: try lowering.operand(upper), includesUpper: true)
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .bounds(lower: try lowering.operand(lower), upper: try lowering.operand(upper), includesUpper: false)
    }
}

extension FetchOperand {
    fileprivate func isBetween(_ lower: FetchOperand, and upper: FetchOperand, includesUpper: Bool) -> FetchCondition {
        .all([.compare(self, .greaterOrEqual, lower), .compare(self, includesUpper ? .lessOrEqual : .less, upper)])
    }
}
