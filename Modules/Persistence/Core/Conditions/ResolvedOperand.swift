/// A value of a condition, and its kind, in the form that stores receive.
public struct ResolvedOperand: Sendable {
    /// The form of a value; its cases correspond to those of ``FetchOperand``.
    public enum Form: Sendable {
        /// The row's identifier.
        case identifier
        /// The value of a column, by its index in the entity.
        case column(Int)
        /// A constant value.
        case constant(StoredValue)
        /// The result of an operation on two numbers; null if either is null.
        ///
        /// Overflow and division by zero are errors.
        indirect case arithmetic(ResolvedOperand, FetchArithmetic, ResolvedOperand)
        /// The number with the opposite sign.
        indirect case negated(ResolvedOperand)
        /// The result of a function; null for null.
        indirect case function(FetchFunction, ResolvedOperand)
        /// The first value, or the second value if the first is null.
        indirect case coalesce(ResolvedOperand, ResolvedOperand)
        /// The first value if the condition is true, otherwise the second value.
        indirect case conditional(ResolvedCondition, ResolvedOperand, ResolvedOperand)
        /// The truth value of a condition.
        indirect case truth(ResolvedCondition)
        /// The count of the relationship's objects that satisfy the condition: a whole number, never null.
        indirect case relatedCount(ResolvedRelationship, ResolvedCondition)
        /// The operand's value for the object of a to-one relationship; null if the relationship is empty.
        indirect case related(ResolvedRelationship, ResolvedOperand)
    }

    /// The form of the value.
    public let form: Form
    /// The kind of the value, and whether it may be null.
    public let type: OperandType
    /// A Boolean value that indicates whether the evaluation may fail with an overflow or a division by zero.
    public let mayFail: Bool
    /// A Boolean value that indicates whether the value refers to related objects.
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

    /// Returns a constant operand.
    public static func constant(_ value: StoredValue) -> ResolvedOperand {
        ResolvedOperand(.constant(value), type: OperandType(kind: .init(value), isNullable: value.isNull))
    }

    /// The value, if the operand is a constant.
    public var constant: StoredValue? {
        if case .constant(let value) = form { value } else { nil }
    }

    /// Returns a Boolean value that indicates whether one operand is converted to the scale of the other.
    ///
    /// The conversion overflows for large numbers.
    private static func isScaled(_ left: ResolvedOperand, _ right: ResolvedOperand) -> Bool {
        let (left, right) = (left.type.kind, right.type.kind)
        return left != .null && right != .null && left.scale != right.scale
    }
}
