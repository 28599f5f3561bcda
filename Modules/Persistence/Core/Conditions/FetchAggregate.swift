/// An aggregate: one value that is computed from all rows of a group, or from all related objects of a row.
///
/// Null operands are ignored by every aggregate except ``count``. Every store returns the same result; see
/// <doc:ComparisonRules>.
///
/// ## Topics
///
/// ### Counting
///
/// - ``count``
/// - ``countValues(_:)``
/// - ``countDistinct(_:)``
///
/// ### Adding
///
/// - ``sum(_:)``
/// - ``total(_:)``
/// - ``average(_:)``
///
/// ### Choosing
///
/// - ``minimum(_:)``
/// - ``maximum(_:)``
public enum FetchAggregate: Sendable, Hashable {
    /// The count of rows: a whole number, never null.
    case count
    /// The count of rows in which the operand is not null: a whole number, never null.
    case countValues(FetchOperand)
    /// The count of different values of the operands; a row in which one of them is null is ignored.
    ///
    /// Texts are different if their UTF-8 bytes are.
    case countDistinct([FetchOperand])
    /// The sum of the operand's numbers; null if there are none.
    ///
    /// Whole numbers and decimals are added exactly: only a sum that does not fit in 64 bits fails the request, with
    /// code ``PersistenceError/Code/arithmetic``. The order in which doubles are added is unspecified.
    case sum(FetchOperand)
    /// The sum of the operand's numbers, or 0 if there are none.
    case total(FetchOperand)
    /// The average of the operand's numbers; null if there are none.
    ///
    /// The average of whole numbers and of doubles is a double. The average of decimals is a decimal with six more
    /// digits after the point, at most 18, and its last digit is rounded half away from zero.
    case average(FetchOperand)
    /// The least of the operand's values, in the order in which rows are sorted; null if there are none.
    ///
    /// Among texts with an ordered format that mean the same, it is the one with the least bytes.
    case minimum(FetchOperand)
    /// The greatest of the operand's values, in the order in which rows are sorted; null if there are none.
    ///
    /// Among texts with an ordered format that mean the same, it is the one with the greatest bytes.
    case maximum(FetchOperand)

    /// The operands that the aggregate evaluates for each row.
    package var operands: [FetchOperand] {
        switch self {
        case .count: []
        case .countDistinct(let operands): operands
        case .countValues(let operand), .sum(let operand), .total(let operand), .average(let operand),
            .minimum(let operand), .maximum(let operand):
            [operand]
        }
    }

    /// The name of the aggregate in texts and messages.
    package var name: String {
        switch self {
        case .count, .countValues, .countDistinct: "count"
        case .sum: "sum"
        case .total: "total"
        case .average: "avg"
        case .minimum: "min"
        case .maximum: "max"
        }
    }
}
