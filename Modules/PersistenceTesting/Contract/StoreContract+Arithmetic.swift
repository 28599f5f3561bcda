import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of calculations in conditions.
    ///
    /// The database's own operators rarely have these properties. A store must:
    ///
    /// - calculate with 64-bit integers, and throw an error with the code `arithmetic` if a result overflows
    /// - truncate quotients of integers toward zero; a remainder has the sign of the dividend
    /// - add, subtract and multiply decimals exactly, with scales that can differ
    /// - round double results to the nearest double, return 0 for an underflow, and throw an error for an overflow
    /// - throw an error for a division by zero, whatever the types are
    /// - return null if an operand is null
    /// - evaluate conditions from left to right, and stop as soon as the result is known
    /// - throw no error for a condition that is evaluated for no row, also if it would fail for every row
    static var arithmetic: [Check] {
        [results, tinyResults, decimals, failures, evaluationOrder, knownFailures]
    }

    private static func number(_ value: Int64) -> FetchOperand { .constant(.integer(value)) }
    private static let long = FetchOperand.property("long")

    /// The check of exact results, of the direction of rounding, and of operands that are null.
    private static var results: Check {
        Check("arithmetic is exact, truncates quotients toward zero, and is null if an operand is null") { probe in
            try probe.insert(
                "Sample", [(1, ["long": .integer(-7), "ratio": .double(0.5)]), (2, ["long": .integer(7)]), (3, [:])])
            func found(
                _ left: FetchOperand, _ operation: FetchArithmetic, _ right: FetchOperand, equals value: StoredValue
            ) throws
                -> [Int64]
            {
                try probe.ids("Sample", where: .compare(.arithmetic(left, operation, right), .equal, .constant(value)))
            }
            let cases: [(FetchOperand, FetchArithmetic, FetchOperand, StoredValue, [Int64])] = [
                (long, .add, number(1), .integer(8), [2]), (long, .subtract, number(1), .integer(-8), [1]),
                (long, .multiply, long, .integer(49), [1, 2]), (long, .divideWhole, number(2), .integer(-3), [1]),
                (long, .divideWhole, number(2), .integer(3), [2]), (long, .remainder, number(2), .integer(-1), [1]),
                (long, .divide, number(2), .double(-3.5), [1]), (long, .add, number(1), .null, [3]),
                (long, .multiply, .property("ratio"), .double(-3.5), [1]),
                (long, .subtract, .property("ratio"), .double(-7.5), [1]),
                (number(.min), .remainder, number(-1), .integer(0), [1, 2, 3]),
                (number(.max), .subtract, number(1), .integer(.max - 1), [1, 2, 3]),
            ]
            for (left, operation, right, value, wanted) in cases {
                probe.expectEqual(
                    try found(left, operation, right, equals: value), wanted, "\(left) \(operation) \(right) = \(value)"
                )
            }
            probe.expectEqual(
                try probe.ids("Sample", where: .compare(.negated(long), .equal, number(7))), [1], "-long = 7")
        }
    }

    /// The check of results below the smallest normal double.
    private static var tinyResults: Check {
        Check("a result that underflows is 0, and any other result is the nearest double") { probe in
            let (tiny, least) = (1e-300, Double.leastNonzeroMagnitude)
            try probe.insert("Sample", [(1, ["ratio": .double(tiny)]), (2, ["ratio": .double(least)])])
            let cases: [(FetchArithmetic, Double, Double, [Int64])] = [
                (.multiply, 1e-300, 0, [1, 2]), (.multiply, -1e-10, tiny * -1e-10, [1]),
                (.multiply, 0.6, least, [2]), (.multiply, 0.5, 0, [2]),
                (.divide, 1e300, 0, [1, 2]), (.divide, 1e20, tiny / 1e20, [1]), (.divide, 2, 0, [2]),
            ]
            for (operation, other, value, wanted) in cases {
                let result = FetchOperand.arithmetic(.property("ratio"), operation, .constant(.double(other)))
                probe.expectEqual(
                    try probe.ids("Sample", where: .compare(result, .equal, .constant(.double(value)))), wanted,
                    "ratio \(operation) \(other) = \(value)")
            }
        }
    }

    /// The check of exact decimal results with two scales.
    private static var decimals: Check {
        Check("decimals are added, subtracted and multiplied exactly") { probe in
            func decimal(_ unscaled: Int64, _ scale: UInt8) -> StoredValue {
                .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
            }
            try probe.insert(
                "Sample",
                [(1, ["price": decimal(1_005, 2), "weight": decimal(15_000, 4), "long": .integer(3)]), (2, [:])])
            let (price, weight) = (FetchOperand.property("price"), FetchOperand.property("weight"))
            let cases: [(FetchOperand, StoredValue)] = [
                (.arithmetic(price, .add, weight), decimal(1_155, 2)),
                (.arithmetic(price, .subtract, long), decimal(705, 2)),
                (.arithmetic(price, .multiply, weight), decimal(15_075, 3)),
                (.arithmetic(long, .multiply, price), decimal(3_015, 2)),
                (.negated(price), decimal(-1_005, 2)),
                (.arithmetic(price, .add, .constant(decimal(1, 3))), decimal(10_051, 3)),
            ]
            for (operand, value) in cases {
                let condition = FetchCondition.compare(operand, .equal, .constant(value))
                probe.expectEqual(try probe.ids("Sample", where: condition), [1], "\(operand) = \(value)")
            }
        }
    }

    /// The check of the error code of fetches and counts whose condition cannot be calculated.
    private static var failures: Check {
        Check("overflow and division by zero are errors") { probe in
            try probe.insert("Sample", [(1, ["long": .integer(.max), "ratio": .double(1e308)])])
            let ratio = FetchOperand.property("ratio")
            let price = FetchOperand.constant(.decimal(ScaledDecimal(unscaled: .max, scale: 2)))
            let cases: [(String, FetchOperand)] = [
                ("max + 1", .arithmetic(long, .add, number(1))),
                ("-1 - max - 1", .arithmetic(.arithmetic(number(-1), .subtract, long), .subtract, number(1))),
                ("max * 2", .arithmetic(long, .multiply, number(2))),
                ("min / -1", .arithmetic(number(.min), .divideWhole, number(-1))),
                ("- min", .negated(number(.min))),
                ("max / 0", .arithmetic(long, .divideWhole, number(0))),
                ("max % 0", .arithmetic(long, .remainder, number(0))),
                ("1e308 / 0", .arithmetic(ratio, .divide, number(0))),
                ("1e308 * 10", .arithmetic(ratio, .multiply, number(10))),
                ("decimal max + 1", .arithmetic(price, .add, number(1))),
            ]
            for (name, operand) in cases {
                let request = StoreRequest("Sample", where: .compare(operand, .notEqual, .constant(.null)))
                probe.expectError(.arithmetic, name) { _ = try probe.store.rows(request) }
                probe.expectError(.arithmetic, "the count of \(name)") { _ = try probe.store.count(request) }
            }
        }
    }

    /// The check of conditions that consist of constants.
    ///
    /// A store that calculates constants in advance must not throw the error before it evaluates the first row.
    private static var knownFailures: Check {
        Check("a condition that always fails causes no error if it is evaluated for no row") { probe in
            let price = FetchOperand.constant(.decimal(ScaledDecimal(unscaled: .max, scale: 2)))
            let bad: [FetchOperand] = [
                .arithmetic(number(10), .divideWhole, number(0)), .arithmetic(number(10), .divide, number(0)),
                .arithmetic(.constant(.double(1e308)), .multiply, number(10)), .arithmetic(price, .add, number(1)),
                .arithmetic(number(1), .remainder, .function(.length, .constant(.string("")))), .negated(number(.min)),
                .function(.absolute, .coalesce(number(.min), long)), .function(.rounded(digits: -1), number(.max)),
            ]
            let fails = bad.map { FetchCondition.compare($0, .notEqual, number(7)) }
            for condition in fails { probe.expectEqual(try probe.ids("Sample", where: condition), [], "\(condition)") }
            try probe.insert("Sample", [(1, ["long": .integer(0)])])
            let isOther = FetchCondition.compare(long, .equal, number(2))
            for condition in fails {
                let guarded = FetchCondition.all([isOther, condition])
                probe.expectEqual(try probe.ids("Sample", where: guarded), [], "\(guarded)")
                probe.expectError(.arithmetic, "\(condition)") { _ = try probe.ids("Sample", where: condition) }
            }
        }
    }

    /// The check that a condition protects the conditions after it, such as `long != 0` before `10 / long > 1`.
    ///
    /// A store must not reorder the parts of a condition if one of them can fail.
    private static var evaluationOrder: Check {
        Check("a condition is evaluated from left to right until its result is decided") { probe in
            try probe.insert("Sample", [(1, ["long": .integer(0)]), (2, ["long": .integer(2)]), (3, [:])])
            let quotient = FetchOperand.arithmetic(number(10), .divideWhole, long)
            let bad = FetchCondition.compare(quotient, .greater, number(1))
            let isZero = FetchCondition.compare(long, .equal, number(0))
            let isNotZero = FetchCondition.compare(long, .notEqual, number(0))
            func found(_ condition: FetchCondition) throws -> [Int64] { try probe.ids("Sample", where: condition) }
            probe.expectEqual(try found(.all([isNotZero, bad])), [2], "long != 0 and 10 / long > 1")
            probe.expectEqual(try found(.any([isZero, bad])), [1, 2], "long = 0 or 10 / long > 1")
            probe.expectEqual(try found(.not(.any([isZero, bad]))), [3], "not (long = 0 or 10 / long > 1)")
            let chosen = FetchOperand.conditional(isZero, number(0), quotient)
            probe.expectEqual(try found(.compare(chosen, .equal, number(5))), [2], "long = 0 ? 0 : 10 / long")
            let kept = FetchOperand.coalesce(number(1), quotient)
            probe.expectEqual(try found(.compare(kept, .equal, number(1))), [1, 2, 3], "1 ?? 10 / long")
            for condition in [
                FetchCondition.all([bad, isNotZero]), .any([bad, isZero]), .all([bad, .constant(false)]),
                .any([bad, .constant(true)]), .isIn(quotient, []),
            ] {
                probe.expectError(.arithmetic, "\(condition)") { _ = try found(condition) }
            }
        }
    }
}
