public import StrataCore

/// A condition in the form that stores receive.
///
/// Its names are resolved to columns and relationships, its operands have a kind, and its parts that may fail are
/// marked. ``StoreRequest/resolved(in:)`` creates it from a ``FetchCondition`` and validates everything that can be
/// validated without a row. A store translates or evaluates it, and must not reject any part of it.
///
/// An SQL store generates an expression for each form. A store in memory passes the condition to an evaluator. Both
/// must follow <doc:ComparisonRules>: a condition is never unknown, so that a comparison with null must not become
/// null.
///
/// ## Topics
///
/// ### Translating
///
/// - ``form``
/// - ``Form``
/// - ``conjuncts``
/// - ``isAlwaysTrue``
///
/// ### Properties of the evaluation
///
/// - ``mayFail``
/// - ``traversesRelationships``
///
/// ### Combining
///
/// - ``all(_:)``
public struct ResolvedCondition: Sendable {
    /// The form of a condition; its cases correspond to those of ``FetchCondition``.
    public indirect enum Form: Sendable {
        /// A condition that is true for every row, or false for every row.
        case constant(Bool)
        /// A condition that compares two operands of a common kind; see ``OperandType/Kind/common(with:)``.
        case compare(ResolvedOperand, FetchComparison, ResolvedOperand)
        /// A condition that is true if the Boolean operand is `true`; it is false if the operand is null.
        case isTrue(ResolvedOperand)
        /// A condition that is true if the first text contains the second text; every text contains the empty text.
        ///
        /// The condition is false if either text is null.
        case contains(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// A condition that is true if the first text starts with the second text.
        case startsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// A condition that is true if the first text ends with the second text.
        case endsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// A condition that is true if the whole text matches the pattern; see
        /// ``FetchCondition/like(_:_:ignoringCase:)``.
        case like(ResolvedOperand, String, ignoringCase: Bool)
        /// A condition that is true if the list contains the operand's value; a null operand matches if the list
        /// contains null.
        case isIn(ResolvedOperand, [StoredValue])
        /// A condition that is true if all of the conditions are true; it is true for an empty array.
        ///
        /// The conditions are evaluated in order until one is false.
        case all([ResolvedCondition])
        /// A condition that is true if at least one of the conditions is true; it is false for an empty array.
        ///
        /// The conditions are evaluated in order until one is true.
        case any([ResolvedCondition])
        /// A condition that is true if the other condition is false.
        case not(ResolvedCondition)
        /// A condition that is true if at least one object of the relationship satisfies the other condition.
        case related(ResolvedRelationship, ResolvedCondition)
    }

    /// The form of the condition.
    public let form: Form
    /// A Boolean value that indicates whether evaluating the condition may overflow or divide by zero.
    ///
    /// If it is `true`, a store must evaluate the parts of the condition in order.
    ///
    /// Otherwise a database may reorder the parts, for example to use an index.
    public let mayFail: Bool
    /// A Boolean value that indicates whether the condition refers to related objects.
    ///
    /// If it is `true`, the condition cannot be evaluated with a row alone.
    public let traversesRelationships: Bool
    /// The unresolved condition from which this condition was created.
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

    /// Returns a condition that is true if all of the conditions are true.
    ///
    /// - Parameter conditions: Conditions on the same entity.
    /// - Returns: The condition.
    public static func all(_ conditions: [ResolvedCondition]) -> ResolvedCondition {
        ResolvedCondition(.all(conditions), source: .all(conditions.map(\.source)))
    }

    /// The conditions that must all be true for this condition to be true, in the order of evaluation.
    ///
    /// A store can search them for a comparison that an index supports, if ``mayFail`` is `false`.
    public var conjuncts: [ResolvedCondition] {
        if case .all(let conditions) = form { conditions } else { [self] }
    }

    /// A Boolean value that indicates whether the condition is the constant `true`.
    public var isAlwaysTrue: Bool {
        if case .constant(true) = form { true } else { false }
    }
}
