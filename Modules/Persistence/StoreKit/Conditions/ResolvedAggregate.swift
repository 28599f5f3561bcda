public import StrataCore

/// An aggregate in the form that stores receive, with the kind of its result.
///
/// A store in memory passes it to an ``AggregateValue``; an SQL store generates an expression.
public struct ResolvedAggregate: Sendable {
    /// The function of an aggregate; its cases correspond to those of ``FetchAggregate``.
    public enum Function: Sendable, Hashable {
        /// The count of rows.
        case count
        /// The count of rows in which the operand is not null.
        case countValues
        /// The count of different values; a row in which one of the operands is null is ignored.
        case countDistinct
        /// The sum of the numbers that are not null; null if there are none.
        case sum
        /// The sum of the numbers that are not null; 0 if there are none.
        case total
        /// The average of the numbers that are not null; null if there are none.
        case average
        /// The least value that is not null; null if there are none.
        case minimum
        /// The greatest value that is not null; null if there are none.
        case maximum
    }

    /// The function.
    public let function: Function
    /// The operands that the aggregate evaluates for each row: several for ``Function/countDistinct``, none for
    /// ``Function/count``, and otherwise one.
    public let operands: [ResolvedOperand]
    /// The kind of the result, and whether it may be null.
    public let type: OperandType
    /// The ordered text format of the operand of a minimum or maximum; `nil` if its values are compared without one.
    public let format: TextFormat?

    init(_ aggregate: FetchAggregate, operands: [ResolvedOperand], type: OperandType, format: TextFormat?) {
        function = Function(aggregate)
        self.operands = operands
        self.type = type
        self.format = format
    }

    /// A Boolean value that indicates whether the aggregate may fail, by itself or in one of its operands.
    var mayFail: Bool {
        switch function {
        case .sum, .total, .average: true
        case .count, .countValues, .countDistinct, .minimum, .maximum: operands.contains(where: \.mayFail)
        }
    }

    /// Returns the type of an aggregate's result for a kind of operand; `nil` if it does not accept that kind.
    static func type(of aggregate: FetchAggregate, _ kind: OperandType.Kind?) -> OperandType? {
        switch (aggregate, kind) {
        case (.count, _), (.countValues, _), (.countDistinct, _):
            return OperandType(kind: .integer, isNullable: false)
        case (.minimum, let kind?), (.maximum, let kind?): return OperandType(kind: kind, isNullable: true)
        case (_, let kind?) where !kind.isNumber: return nil
        case (.sum, let kind?): return OperandType(kind: kind, isNullable: true)
        case (.total, let kind?): return OperandType(kind: kind, isNullable: false)
        case (.average, .decimal(let scale)):
            return OperandType(kind: .decimal(scale: averageScale(scale)), isNullable: true)
        case (.average, _): return OperandType(kind: .double, isNullable: true)
        case (_, nil): return nil
        }
    }

    /// Returns the scale of the average of decimals of a scale.
    package static func averageScale(_ scale: UInt8) -> UInt8 { min(scale + 6, ScaledDecimal.maximumScale) }
}

extension ResolvedAggregate.Function {
    init(_ aggregate: FetchAggregate) {
        self =
            switch aggregate {
            case .count: .count
            case .countValues: .countValues
            case .countDistinct: .countDistinct
            case .sum: .sum
            case .total: .total
            case .average: .average
            case .minimum: .minimum
            case .maximum: .maximum
            }
    }
}
