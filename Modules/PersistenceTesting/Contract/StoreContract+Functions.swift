import Foundation
import StrataPersistence

extension StoreContract {
    /// The checks of the results of functions.
    ///
    /// A store must:
    ///
    /// - change the case of texts by Unicode's rules without a locale: “Straße” becomes “STRASSE”
    /// - remove white space at both ends, including no-break and ideographic spaces
    /// - count the Unicode scalars of a text, and the bytes of a binary value
    /// - round numbers to a count of digits, with halves away from zero; a negative count rounds to tens or hundreds
    /// - round decimals exactly, and round a double by its exact binary value
    /// - throw an error with the code `arithmetic` if an absolute or a rounded value overflows
    /// - return null for null
    /// - sort rows by a calculated value, with null first, and apply windows to the sorted rows
    static var functions: [Check] {
        [textFunctions, numberFunctions, functionFailures, calculatedKeys]
    }

    /// The text and the integer attribute of the sample entity.
    private static let (text, long) = (FetchOperand.property("text"), FetchOperand.property("long"))
    /// The double and the decimal attribute of the sample entity.
    private static let (ratio, price) = (FetchOperand.property("ratio"), FetchOperand.property("price"))

    private static func decimal(_ unscaled: Int64, _ scale: UInt8) -> StoredValue {
        .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
    }

    private static func round(_ operand: FetchOperand, _ digits: Int) -> FetchOperand {
        .function(.rounded(digits: digits), operand)
    }

    /// Checks which rows have an operand with a value.
    private static func expect(
        _ probe: ContractProbe, _ cases: [(FetchOperand, StoredValue, [Int64])]
    ) throws {
        for (operand, value, wanted) in cases {
            let found = try probe.ids("Sample", where: .compare(operand, .equal, .constant(value)))
            probe.expectEqual(found, wanted, "\(operand) = \(value)")
        }
    }

    /// The check of functions of texts and bytes, for values, null and nested calls.
    private static var textFunctions: Check {
        Check("case conversion, trimming and length follow Unicode's rules, and return null for null") { probe in
            try probe.insert(
                "Sample",
                [
                    (1, ["text": .string("Straße ÄÉ")]), (2, [:]),
                    (3, ["text": .string("\u{a0} \t e\u{301}\u{1f600}\n")]),
                    (4, ["text": .string("")]), (5, ["text": .string(" \u{3000}")]),
                    (6, ["bytes": .binary(Data([0, 1, 2]))]),
                ])
            func text(_ text: String) -> StoredValue { .string(text) }
            try expect(
                probe,
                [
                    (.function(.lowercased, self.text), text("straße äé"), [1]),
                    (.function(.uppercased, self.text), text("STRASSE ÄÉ"), [1]),
                    (.function(.lowercased, self.text), .null, [2, 6]),
                    (.function(.trimmed, self.text), .null, [2, 6]),
                    (.function(.trimmed, self.text), text("e\u{301}\u{1f600}"), [3]),
                    (.function(.trimmed, self.text), text(""), [4, 5]),
                    (.function(.length, self.text), .integer(9), [1]),
                    (.function(.length, self.text), .integer(0), [4]),
                    (.function(.length, self.text), .integer(8), [3]), (.function(.length, self.text), .null, [2, 6]),
                    (.function(.length, .function(.trimmed, self.text)), .integer(3), [3]),
                    (.function(.length, .property("bytes")), .integer(3), [6]),
                    (.function(.lowercased, .constant(text("É"))), text("é"), [1, 2, 3, 4, 5, 6]),
                    (.function(.uppercased, .coalesce(self.text, .constant(text("x")))), text("X"), [2, 6]),
                ])
        }
    }

    /// The check of rounded and absolute integers, doubles and decimals, up to the greatest decimal.
    private static var numberFunctions: Check {
        Check("numbers are rounded exactly, with halves away from zero, and absolute values are exact") { probe in
            try probe.insert(
                "Sample",
                [
                    (1, ["long": .integer(-1_250), "ratio": .double(-2.5), "price": decimal(-1_005, 2)]), (2, [:]),
                    (3, ["long": .integer(1_249), "ratio": .double(2.675), "price": decimal(12_345, 2)]),
                    (4, ["long": .integer(7), "ratio": .double(0.125), "price": decimal(49, 2)]),
                    (5, ["long": .integer(0), "ratio": .double(1e300), "price": decimal(0, 2)]),
                ])
            let raised = FetchOperand.arithmetic(price, .multiply, .constant(decimal(110, 2)))
            try expect(
                probe,
                [
                    (round(long, 2), .integer(-1_250), [1]), (round(long, -2), .integer(-1_300), [1]),
                    (round(long, -2), .integer(1_200), [3]), (round(long, -1), .integer(10), [4]),
                    (round(long, -18), .integer(0), [1, 3, 4, 5]), (round(ratio, 0), .double(-3), [1]),
                    (round(ratio, 2), .double(2.67), [3]), (round(ratio, 2), .double(0.13), [4]),
                    (round(ratio, 18), .double(2.675), [3]), (round(ratio, 3), .double(1e300), [5]),
                    (round(ratio, -1), .double(0), [1, 3, 4]), (round(price, 1), decimal(-101, 1), [1]),
                    (round(price, 1), decimal(1_235, 1), [3]), (round(price, 0), decimal(123, 0), [3]),
                    (round(price, 0), decimal(0, 0), [4, 5]), (round(price, -2), decimal(100, 0), [3]),
                    (round(price, 9), decimal(12_345, 2), [3]), (round(price, 1), .null, [2]),
                    (round(raised, 2), decimal(-1_106, 2), [1]), (round(raised, 2), decimal(13_580, 2), [3]),
                    (.function(.absolute, .property("short")), .null, [1, 2, 3, 4, 5]),
                    (.function(.absolute, long), .integer(1_250), [1]),
                    (.function(.absolute, ratio), .double(2.5), [1]),
                    (.function(.absolute, price), decimal(1_005, 2), [1]),
                ])
            try probe.insert("Sample", [(6, ["price": decimal(.max, 2)])])
            try expect(probe, [(round(price, 1), decimal(922_337_203_685_477_581, 1), [6])])
        }
    }

    /// The check of overflows at the limits of 64 bits, and of the same functions behind a condition that is false.
    private static var functionFailures: Check {
        Check("a function whose result overflows is an error unless the function is never evaluated") { probe in
            try probe.insert(
                "Sample", [(1, ["long": .integer(.min), "price": decimal(.min, 2)]), (2, ["long": .integer(.max)])])
            let cases: [(String, FetchOperand)] = [
                ("abs of min", .function(.absolute, long)), ("round max to tens", round(long, -1)),
                ("abs of a decimal", .function(.absolute, price)),
            ]
            for (name, operand) in cases {
                let condition = FetchCondition.compare(operand, .notEqual, .constant(.null))
                probe.expectError(.arithmetic, name) { _ = try probe.ids("Sample", where: condition) }
                let never = FetchCondition.compare(.property("id"), .greater, .constant(.integer(5))) && condition
                probe.expectEqual(try probe.ids("Sample", where: never), [], "\(name), not reached")
            }
        }
    }

    /// The check of sort keys that are calculated from attributes, or that count related rows.
    private static var calculatedKeys: Check {
        Check("rows can be sorted by a calculated value, with null first") { probe in
            try probe.insert(
                "Sample",
                [
                    (1, ["text": .string("bbb"), "long": .integer(-3)]),
                    (2, ["text": .string("A"), "long": .integer(2)]),
                    (3, ["text": .string("cc"), "long": .integer(-1)]), (4, [:]),
                ])
            let cases: [(StoreRequest.Sort, [Int64])] = [
                (.init(key: .value(.function(.length, text))), [4, 2, 3, 1]),
                (.init(key: .value(.function(.length, text)), descending: true), [1, 3, 2, 4]),
                (.init(key: .value(.function(.lowercased, text))), [4, 2, 1, 3]),
                (.init(key: .value(.function(.absolute, long))), [4, 3, 2, 1]),
                (.init(key: .value(.arithmetic(long, .multiply, .constant(.integer(-1))))), [4, 2, 3, 1]),
            ]
            for (key, wanted) in cases {
                probe.expectEqual(try probe.ids("Sample", sort: [key]), wanted, "by \(key)")
                let window = try probe.ids("Sample", sort: [key], limit: 2, offset: 1)
                probe.expectEqual(window, Array(wanted[1...2]), "a window by \(key)")
            }
            try probe.insert("Owner", [(1, [:]), (2, [:]), (3, [:])])
            try probe.insert(
                "Part", [(1, ["owner": .integer(2)]), (2, ["owner": .integer(2)]), (3, ["owner": .integer(1)])])
            let count = StoreRequest.Sort(key: .value(.relatedCount("parts", .constant(true))), descending: true)
            probe.expectEqual(try probe.ids("Owner", sort: [count]), [2, 1, 3], "by a number of related objects")
        }
    }
}
