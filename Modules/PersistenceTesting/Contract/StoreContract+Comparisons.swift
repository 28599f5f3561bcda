import Foundation
import StrataPersistence

extension StoreContract {
    /// The checks that every type has one order for comparisons and sorting, in which null is first.
    ///
    /// The order is the same for conditions, sort keys and indexes. A store must:
    ///
    /// - compare strings and binary values by unsigned bytes, without a locale and without ignoring case
    /// - compare integers with doubles and decimals, and decimals of different scales, by their exact value
    /// - order false before true, dates by instant, UUIDs by their 16 bytes, days by date, and times of day to the
    ///   nanosecond
    /// - treat null as equal to null, as different from every other value, and as first in a sort
    /// - evaluate `<`, `<=`, `>` and `>=` as false if an operand is null, also between two nulls
    /// - have two truth values only: a condition that is not true is false, and its negation is true
    /// - accept lists of 5,000 values, and find null in a list that contains null
    ///
    /// SQL differs in the last rules, because it has a third truth value. A store that translates conditions to SQL
    /// must compensate for that.
    static var comparisons: [Check] {
        [
            order(
                "strings are compared by their UTF-8 bytes", property: "text",
                values: ContractValues.texts.map(StoredValue.string)),
            order(
                "whole numbers are compared by value", property: "long",
                values: ContractValues.integers.map(StoredValue.integer)),
            order(
                "doubles are compared by value", property: "ratio",
                values: ContractValues.doubles.map(StoredValue.double)),
            order("decimals are compared by value", property: "price", values: ContractValues.decimals(scale: 2)),
            order("false is ordered before true", property: "flag", values: [.boolean(false), .boolean(true)]),
            order(
                "dates are compared by instant", property: "instant", values: ContractValues.dates.map(StoredValue.date)
            ),
            order(
                "UUIDs are compared by their bytes", property: "token",
                values: ContractValues.uuids.map(StoredValue.uuid)),
            order(
                "binary values are compared by their bytes", property: "bytes",
                values: ContractValues.binaries.map(StoredValue.binary)),
            order(
                "days are compared by calendar date", property: "birthday",
                values: ContractValues.days.map(StoredValue.day)),
            order(
                "times of day are compared with nanosecond precision", property: "opening",
                values: ContractValues.timesOfDay.map(StoredValue.timeOfDay)),
            numbersAcrossKinds, decimalsAcrossScales, nullIsAValue, truthHasTwoValues, membership,
        ]
    }

    /// All comparisons, each of which is checked with every value of a type.
    private static let comparisonKinds: [FetchComparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    /// Returns a check of the order by conditions with every value, and by sorting in both directions.
    ///
    /// Row 1 is null, and row n + 2 has value n. The rows are inserted from the last to the first.
    private static func order(_ rule: String, property: String, values: [StoredValue]) -> Check {
        Check(rule) { probe in
            let rows = ([StoredValue.null] + values).enumerated().map { (Int64($0 + 1), [property: $1]) }
            try probe.insert("Sample", rows.reversed())
            let all = rows.map(\.0)
            for comparison in comparisonKinds {
                for (place, value) in ([StoredValue.null] + values).enumerated() {
                    let wanted = all.filter { comparison.holds(Int($0 - 1), place) }
                    let condition = FetchCondition.compare(.property(property), comparison, .constant(value))
                    let found = try probe.ids("Sample", where: condition)
                    probe.expectEqual(found, wanted, "\(property) \(comparison) \(value)")
                    let negated = try probe.ids("Sample", where: .not(condition))
                    probe.expectEqual(
                        negated, all.filter { !wanted.contains($0) }, "not \(property) \(comparison) \(value)")
                }
            }
            let ascending = try probe.ids("Sample", sort: [.init(property)])
            probe.expectEqual(ascending, all, "sorted by \(property)")
            let descending = try probe.ids("Sample", sort: [.init(property, descending: true)])
            probe.expectEqual(descending, all.reversed(), "sorted by \(property), descending")
        }
    }

    /// The check that comparisons of integers with doubles are exact.
    ///
    /// A store that converts the integer 2^53 + 1 to a double considers it equal to 2^53, and fails.
    private static var numbersAcrossKinds: Check {
        Check("whole numbers and doubles are compared by value, without rounding") { probe in
            let big: Int64 = 9_007_199_254_740_993
            try probe.insert(
                "Sample",
                [
                    (1, ["long": .integer(big), "ratio": .double(9_007_199_254_740_992)]),
                    (2, ["long": .integer(3), "ratio": .double(3)]),
                    (3, ["long": .integer(-1), "ratio": .double(-0.5)]),
                ])
            func found(_ left: FetchOperand, _ comparison: FetchComparison, _ right: FetchOperand) throws -> [Int64] {
                try probe.ids("Sample", where: .compare(left, comparison, right))
            }
            probe.expectEqual(try found(.property("long"), .equal, .property("ratio")), [2], "long = ratio")
            probe.expectEqual(try found(.property("long"), .greater, .property("ratio")), [1], "long > ratio")
            probe.expectEqual(try found(.property("long"), .less, .property("ratio")), [3], "long < ratio")
            probe.expectEqual(try found(.property("long"), .equal, .constant(.double(3))), [2], "long = 3.0")
            probe.expectEqual(try found(.property("ratio"), .equal, .constant(.integer(big))), [], "ratio = 2^53 + 1")
            probe.expectEqual(
                try found(.property("long"), .greater, .constant(.double(2.5))), [1, 2], "long > 2.5")
        }
    }

    /// The check that 5.70 with two fraction digits equals 5.7000 with four, and that 0.125 is between 0.12 and 0.13.
    ///
    /// Constants can have more fraction digits than the attribute, and decimals are also compared with integers.
    private static var decimalsAcrossScales: Check {
        Check("decimals of different scales are compared by value") { probe in
            func decimal(_ unscaled: Int64, _ scale: UInt8) -> StoredValue {
                .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
            }
            try probe.insert(
                "Sample",
                [
                    (1, ["price": decimal(570, 2), "weight": decimal(57_000, 4), "long": .integer(6)]),
                    (2, ["price": decimal(12, 2), "weight": decimal(1_250, 4), "long": .integer(0)]),
                    (3, ["price": decimal(-12, 2), "weight": decimal(-1_250, 4), "long": .integer(.max)]),
                    (4, [:]),
                ])
            func found(_ left: FetchOperand, _ comparison: FetchComparison, _ right: FetchOperand) throws -> [Int64] {
                try probe.ids("Sample", where: .compare(left, comparison, right))
            }
            let price = FetchOperand.property("price")
            probe.expectEqual(try found(price, .equal, .property("weight")), [1, 4], "price = weight")
            probe.expectEqual(try found(price, .less, .property("weight")), [2], "price < weight")
            probe.expectEqual(try found(price, .less, .property("long")), [1, 3], "price < long")
            probe.expectEqual(try found(price, .equal, .constant(decimal(57, 1))), [1], "price = 5.7")
            probe.expectEqual(try found(price, .equal, .constant(decimal(125, 3))), [], "price = 0.125")
            probe.expectEqual(try found(price, .notEqual, .constant(decimal(125, 3))), [1, 2, 3, 4], "price != 0.125")
            probe.expectEqual(try found(price, .less, .constant(decimal(125, 3))), [2, 3], "price < 0.125")
            probe.expectEqual(try found(price, .greaterOrEqual, .constant(decimal(125, 3))), [1], "price >= 0.125")
            probe.expectEqual(try found(price, .greater, .constant(decimal(-125, 3))), [1, 2, 3], "price > -0.125")
            probe.expectEqual(try found(price, .less, .constant(.integer(.max))), [1, 2, 3], "price < 2^63 - 1")
            probe.expectEqual(try found(.constant(.integer(1)), .greater, price), [2, 3], "1 > price")
        }
    }

    /// The check of comparisons with null, with text searches for or in null, and with a default for null.
    private static var nullIsAValue: Check {
        Check("null equals itself, and every ordering comparison with null is false") { probe in
            try probe.insert("Sample", [(1, [:]), (2, ["text": .string("")]), (3, ["long": .integer(0)])])
            let (text, long) = (FetchOperand.property("text"), FetchOperand.property("long"))
            let cases: [(FetchCondition, [Int64])] = [
                (.compare(text, .equal, .constant(.null)), [1, 3]),
                (.compare(text, .notEqual, .constant(.null)), [2]),
                (.compare(.constant(.null), .equal, .constant(.null)), [1, 2, 3]),
                (.compare(.constant(.null), .lessOrEqual, .constant(.null)), []),
                (.compare(text, .notEqual, .constant(.string("x"))), [1, 2, 3]),
                (.compare(long, .greaterOrEqual, .constant(.integer(.min))), [3]),
                (.compare(.coalesce(long, .constant(.integer(7))), .equal, .constant(.integer(7))), [1, 2]),
                (.compare(long, .equal, long), [1, 2, 3]),
                (.contains(text, .constant(.string(""))), [2]),
                (.startsWith(.constant(.string("")), text), [2]),
            ]
            for (condition, wanted) in cases {
                probe.expectEqual(try probe.ids("Sample", where: condition), wanted, "\(condition)")
            }
        }
    }

    /// The check of negated, combined and nested conditions whose operands are null.
    ///
    /// An empty conjunction is true, and an empty disjunction is false.
    private static var truthHasTwoValues: Check {
        Check("a condition that is not true is false, and its negation is true") { probe in
            try probe.insert("Sample", [(1, [:]), (2, ["flag": .boolean(false)]), (3, ["flag": .boolean(true)])])
            let flag = FetchCondition.isTrue(.property("flag"))
            let less = FetchCondition.compare(.property("long"), .less, .constant(.integer(0)))
            let cases: [(FetchCondition, [Int64])] = [
                (flag, [3]), (.not(flag), [1, 2]), (.not(.not(flag)), [3]), (less, []), (.not(less), [1, 2, 3]),
                (.all([.not(less), .not(flag)]), [1, 2]), (.any([less, flag]), [3]), (.all([]), [1, 2, 3]),
                (.any([]), []), (.constant(true), [1, 2, 3]), (.constant(false), []),
                (.not(.contains(.property("text"), .constant(.string("a")))), [1, 2, 3]),
                (.compare(.truth(flag), .equal, .constant(.boolean(false))), [1, 2]),
                (.compare(.truth(less), .equal, .property("flag")), [2]),
                (
                    .compare(
                        .conditional(flag, .constant(.integer(1)), .constant(.null)), .equal, .constant(.null)), [1, 2]
                ),
            ]
            for (condition, wanted) in cases {
                probe.expectEqual(try probe.ids("Sample", where: condition), wanted, "\(condition)")
            }
        }
    }

    /// The check of lists: empty, with null, with values of another numeric type, and with 5,000 values.
    private static var membership: Check {
        Check("a value is in a list if it equals a member, and null is in a list that contains null") { probe in
            try probe.insert(
                "Sample",
                [(1, [:]), (2, ["long": .integer(1)]), (3, ["long": .integer(2)]), (4, ["text": .string("é")])])
            let long = FetchOperand.property("long")
            let many = (3...5000).map { StoredValue.integer(Int64($0)) }
            let cases: [(FetchCondition, [Int64])] = [
                (.isIn(long, []), []), (.not(.isIn(long, [])), [1, 2, 3, 4]),
                (.isIn(long, [.integer(1), .integer(9)]), [2]),
                (.not(.isIn(long, [.integer(1)])), [1, 3, 4]),
                (.isIn(long, [.null]), [1, 4]), (.not(.isIn(long, [.null])), [2, 3]),
                (.isIn(long, [.null, .integer(2)]), [1, 3, 4]),
                (.isIn(long, [.double(1), .double(1.5)]), [2]),
                (.isIn(long, many + [.integer(2)]), [3]),
                (.isIn(.property("text"), [.string("e\u{301}")]), []),
                (.isIn(.property("id"), [.integer(4), .integer(1)]), [1, 4]),
            ]
            for (condition, wanted) in cases {
                probe.expectEqual(try probe.ids("Sample", where: condition), wanted, "membership")
            }
        }
    }
}

extension FetchComparison {
    /// Returns a Boolean value that indicates whether the comparison holds between the values at two indexes.
    ///
    /// The indexes are those of an ascending list that begins with null.
    fileprivate func holds(_ left: Int, _ right: Int) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left > 0 && right > 0 && left < right
        case .lessOrEqual: left > 0 && right > 0 && left <= right
        case .greater: left > 0 && right > 0 && left > right
        case .greaterOrEqual: left > 0 && right > 0 && left >= right
        }
    }
}
