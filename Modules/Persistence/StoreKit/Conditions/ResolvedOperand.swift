public import StrataCore

/// An operand of a condition in the form that stores receive, with its kind.
///
/// If the operands of a comparison or a choice have different kinds, they are not converted: compare a whole number and
/// a double by value, and decimals of different scales by value. Only ``Form/coalesce(_:_:)`` and
/// ``Form/conditional(_:_:_:)`` have the scale of their own ``type``.
///
/// ## Topics
///
/// ### Translating
///
/// - ``form``
/// - ``Form``
/// - ``type``
/// - ``constant``
///
/// ### Properties of the evaluation
///
/// - ``mayFail``
/// - ``traversesRelationships``
///
/// ### Creating a constant
///
/// - ``constant(_:)``
public struct ResolvedOperand: Sendable {
    /// The form of an operand; its cases correspond to those of ``FetchOperand``.
    public enum Form: Sendable {
        /// The row's identifier.
        case identifier
        /// The row's value in the column with this index in the entity.
        case column(Int)
        /// A constant value.
        case constant(StoredValue)
        /// The result of an arithmetic operation on two operands; null if either operand is null.
        ///
        /// Overflow and division by zero fail the request.
        indirect case arithmetic(ResolvedOperand, FetchArithmetic, ResolvedOperand)
        /// The operand's number with the opposite sign.
        indirect case negated(ResolvedOperand)
        /// The result of a function of the operand; null if the operand is null.
        indirect case function(FetchFunction, ResolvedOperand)
        /// The value of the first operand, or that of the second operand if the first one is null.
        indirect case coalesce(ResolvedOperand, ResolvedOperand)
        /// The value of the first operand if the condition is true, otherwise that of the second operand.
        indirect case conditional(ResolvedCondition, ResolvedOperand, ResolvedOperand)
        /// The truth value of a condition, as a Boolean value.
        indirect case truth(ResolvedCondition)
        /// The count of the relationship's objects that satisfy the condition: a whole number, never null.
        indirect case relatedCount(ResolvedRelationship, ResolvedCondition)
        /// The operand's value for the object of the to-one relationship; null if there is no such object.
        indirect case related(ResolvedRelationship, ResolvedOperand)
        /// The aggregate over those objects of the relationship that satisfy the condition.
        indirect case relatedAggregate(ResolvedRelationship, ResolvedAggregate, ResolvedCondition)
    }

    /// The form of the operand.
    public let form: Form
    /// The kind of the operand's values, and whether the operand may be null.
    public let type: OperandType
    /// A Boolean value that indicates whether evaluating the operand may overflow or divide by zero.
    public let mayFail: Bool
    /// A Boolean value that indicates whether the operand refers to related objects.
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
        case .relatedAggregate(_, let aggregate, let condition):
            (mayFail, traversesRelationships) = (aggregate.mayFail || condition.mayFail, true)
        }
    }

    /// Returns an operand with a constant value.
    public static func constant(_ value: StoredValue) -> ResolvedOperand {
        ResolvedOperand(.constant(value), type: OperandType(kind: .init(value), isNullable: value.isNull))
    }

    /// The constant value of the operand; `nil` if the operand is not a constant.
    public var constant: StoredValue? {
        if case .constant(let value) = form { value } else { nil }
    }

    /// Returns a Boolean value that indicates whether one of two operands must be converted to the decimal scale of the
    /// other.
    ///
    /// The conversion can overflow for large numbers.
    private static func isScaled(_ left: ResolvedOperand, _ right: ResolvedOperand) -> Bool {
        let (left, right) = (left.type.kind, right.type.kind)
        return left != .null && right != .null && left.scale != right.scale
    }
}
