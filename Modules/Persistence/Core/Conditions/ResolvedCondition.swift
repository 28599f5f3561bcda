/// A condition as stores get it: names are columns and relationships, values have a kind, and what may fail is marked.
///
/// Made of a ``FetchCondition`` by ``StoreRequest/resolved(in:)``, which checks everything that can be checked without a row. A store translates or
/// evaluates it and refuses nothing more of it.
public struct ResolvedCondition: Sendable {
    /// What is asked; as ``FetchCondition``, case by case.
    public indirect enum Form: Sendable {
        /// Every row, or none.
        case constant(Bool)
        /// Two values compared, which have a common kind: ``OperandType/Kind/common(with:)``.
        case compare(ResolvedOperand, FetchComparison, ResolvedOperand)
        /// A truth value is true; null is not.
        case isTrue(ResolvedOperand)
        /// The first text contains the second; the empty text is in every text. Null contains nothing and is in nothing.
        case contains(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The first text starts with the second.
        case startsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The first text ends with the second.
        case endsWith(ResolvedOperand, ResolvedOperand, ignoringCase: Bool)
        /// The whole text is as the pattern; see ``FetchCondition/like(_:_:ignoringCase:)``.
        case like(ResolvedOperand, String, ignoringCase: Bool)
        /// The value is one of the list; null is when the list holds null.
        case isIn(ResolvedOperand, [StoredValue])
        /// Every one holds; evaluated from the first to the last and not beyond the first that does not. True when empty.
        case all([ResolvedCondition])
        /// At least one holds; evaluated from the first to the last and not beyond the first that does. False when empty.
        case any([ResolvedCondition])
        /// The condition does not hold.
        case not(ResolvedCondition)
        /// At least one of the objects that a relationship leads to fulfils the condition.
        case related(ResolvedRelationship, ResolvedCondition)
    }

    /// What is asked.
    public let form: Form
    /// Whether evaluating it may be an error, so that the order of evaluation matters: overflow, or a division by zero.
    public let mayFail: Bool
    /// Whether it asks for anything of related objects, so that a row alone does not decide it.
    public let traversesRelationships: Bool
    /// The condition that was resolved.
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

    /// Conditions that all hold.
    ///
    /// - Parameter conditions: Of one entity.
    /// - Returns: The condition.
    public static func all(_ conditions: [ResolvedCondition]) -> ResolvedCondition {
        ResolvedCondition(.all(conditions), source: .all(conditions.map(\.source)))
    }

    /// The conditions that all hold where this one does, in the order of evaluation.
    public var conjuncts: [ResolvedCondition] {
        if case .all(let conditions) = form { conditions } else { [self] }
    }

    /// Whether every row fulfils it, as is plain without a look at any.
    public var isAlwaysTrue: Bool {
        if case .constant(true) = form { true } else { false }
    }
}
