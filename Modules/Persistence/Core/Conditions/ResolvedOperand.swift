/// A value in a condition as stores get it, with its kind.
public struct ResolvedOperand: Sendable {
    /// What the value is; as ``FetchOperand``, case by case.
    public enum Form: Sendable {
        /// The row's identifier.
        case identifier
        /// The value of a column, by its place in the entity.
        case column(Int)
        /// A fixed value.
        case constant(StoredValue)
        /// Two numbers calculated; null when either is. Overflow and division by zero are errors.
        indirect case arithmetic(ResolvedOperand, FetchArithmetic, ResolvedOperand)
        /// The number with its sign turned.
        indirect case negated(ResolvedOperand)
        /// What a function makes of a value; null of null.
        indirect case function(FetchFunction, ResolvedOperand)
        /// The first value, or the second where the first is null.
        indirect case coalesce(ResolvedOperand, ResolvedOperand)
        /// The first value where the condition holds, the second where it does not.
        indirect case conditional(ResolvedCondition, ResolvedOperand, ResolvedOperand)
        /// A condition's truth as a value.
        indirect case truth(ResolvedCondition)
        /// How many of the objects that a relationship leads to fulfil the condition: a whole number, never null.
        indirect case relatedCount(ResolvedRelationship, ResolvedCondition)
        /// The value of the operand for the object that a to-one relationship leads to; null where it leads to none.
        indirect case related(ResolvedRelationship, ResolvedOperand)
    }

    /// What the value is.
    public let form: Form
    /// The kind of its values, and whether null is one.
    public let type: OperandType
    /// Whether finding the value may be an error: a number that does not fit, or a division by zero.
    public let mayFail: Bool
    /// Whether it asks for anything of related objects.
    public let traversesRelationships: Bool

    package init(_ form: Form, type: OperandType) {
        self.form = form
        self.type = type
        switch form {
        case .identifier, .column, .constant: (mayFail, traversesRelationships) = (false, false)
        case .arithmetic(let left, _, let right):
            (mayFail, traversesRelationships) = (true, left.traversesRelationships || right.traversesRelationships)
        case .negated(let operand): (mayFail, traversesRelationships) = (true, operand.traversesRelationships)
        case .function(let function, let operand):
            mayFail = operand.mayFail || function.mayFail(for: operand.type.kind)
            traversesRelationships = operand.traversesRelationships
        case .coalesce(let left, let right):
            mayFail = left.mayFail || right.mayFail || Self.isScaled(left, right)
            traversesRelationships = left.traversesRelationships || right.traversesRelationships
        case .conditional(let condition, let left, let right):
            mayFail = condition.mayFail || left.mayFail || right.mayFail || Self.isScaled(left, right)
            traversesRelationships =
                condition.traversesRelationships || left.traversesRelationships || right.traversesRelationships
        case .truth(let condition):
            (mayFail, traversesRelationships) = (condition.mayFail, condition.traversesRelationships)
        case .relatedCount(_, let condition): (mayFail, traversesRelationships) = (condition.mayFail, true)
        case .related(_, let operand): (mayFail, traversesRelationships) = (operand.mayFail, true)
        }
    }

    /// A fixed value.
    public static func constant(_ value: StoredValue) -> ResolvedOperand {
        ResolvedOperand(.constant(value), type: OperandType(kind: .init(value), isNullable: value.isNull))
    }

    /// The value, where it is a fixed one.
    public var constant: StoredValue? {
        if case .constant(let value) = form { value } else { nil }
    }

    /// Whether one of two operands is brought to the other's scale, which overflows for great numbers.
    private static func isScaled(_ left: ResolvedOperand, _ right: ResolvedOperand) -> Bool {
        let (left, right) = (left.type.kind, right.type.kind)
        return left != .null && right != .null && left.scale != right.scale
    }
}
