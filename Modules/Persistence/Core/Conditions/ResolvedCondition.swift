/// A condition in the form that stores receive.
///
/// Names are resolved to columns and relationships. Values have a kind, and parts that may fail are marked.
/// ``StoreRequest/resolved(in:)`` creates it from a ``FetchCondition`` and validates everything that can be validated
/// without a row. A store translates or evaluates it, and rejects no part of it.
public struct ResolvedCondition: Sendable {
    /// The form of a condition; its cases correspond to those of ``FetchCondition``.
    public indirect enum Form: Sendable {
        /// The condition is true for every row, or for none.
        case constant(Bool)
        /// The comparison of two values of a common kind is true; see ``OperandType/Kind/common(with:)``.
        case compare(ResolvedOperand, FetchComparison, ResolvedOperand)
        /// The Boolean value is true; for null the condition is false.
        case isTrue(ResolvedOperand)
        /// The first text contains the second; every text contains the empty text.
        ///
        /// The condition is false if either value is null.
        case contains(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The first text starts with the second.
        case startsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The first text ends with the second.
        case endsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The whole text matches the pattern; see ``FetchCondition/like(_:_:ignoringCase:)``.
        case like(ResolvedOperand, String, ignoringCase: Bool)
        /// The list contains the value; null matches if the list contains null.
        case isIn(ResolvedOperand, [StoredValue])
        /// Every condition is true; an empty list is true.
        ///
        /// The conditions are evaluated in order until one is false.
        case all([ResolvedCondition])
        /// At least one condition is true; an empty list is false.
        ///
        /// The conditions are evaluated in order until one is true.
        case any([ResolvedCondition])
        /// The condition is false.
        case not(ResolvedCondition)
        /// At least one of the relationship's objects satisfies the condition.
        case related(ResolvedRelationship, ResolvedCondition)
    }

    /// The form of the condition.
    public let form: Form
    /// A Boolean value that indicates whether the evaluation may fail with an overflow or a division by zero.
    ///
    /// If it is `true`, the order of evaluation matters.
    public let mayFail: Bool
    /// A Boolean value that indicates whether the condition refers to related objects.
    ///
    /// If it is `true`, a row alone does not decide the condition.
    public let traversesRelationships: Bool
    /// The condition from which this one was resolved.
    package let source: FetchCondition

    init(_ form: Form, source: FetchCondition) {
        self.form = form
        self.source = source
        switch form {
        case .constant: (mayFail, traversesRelationships) = (false, false)
        case .compare(let left, _, let right), .contains(let left, let right, _), .startsWith(let left, let right, _),
            .endsWith(let left, let right, _):
            mayFail = left.mayFail || right.mayFail
            traversesRelationships = left.traversesRelationships || right.traversesRelationships
        case .isTrue(let operand), .isIn(let operand, _), .like(let operand, _, _):
            (mayFail, traversesRelationships) = (operand.mayFail, operand.traversesRelationships)
        case .all(let conditions), .any(let conditions):
            mayFail = conditions.contains(where: \.mayFail)
            traversesRelationships = conditions.contains(where: \.traversesRelationships)
        case .not(let condition):
            (mayFail, traversesRelationships) = (condition.mayFail, condition.traversesRelationships)
        case .related(_, let condition): (mayFail, traversesRelationships) = (condition.mayFail, true)
        }
    }

    /// Returns a condition that is true if all conditions are true.
    ///
    /// - Parameter conditions: Conditions on one entity.
    /// - Returns: The condition.
    public static func all(_ conditions: [ResolvedCondition]) -> ResolvedCondition {
        ResolvedCondition(.all(conditions), source: .all(conditions.map(\.source)))
    }

    /// The conditions whose conjunction is equivalent to this one, in the order of evaluation.
    public var conjuncts: [ResolvedCondition] {
        if case .all(let conditions) = form { conditions } else { [self] }
    }

    /// A Boolean value that indicates whether the condition is the constant `true`.
    public var isAlwaysTrue: Bool {
        if case .constant(true) = form { true } else { false }
    }
}
