import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// The order of texts with a required format.
@Suite("Order of texts with a format")
struct TextOrderTests {
    /// Texts in their order; those in one list have the same meaning.
    private static let orders: [(TextFormat, [[String]])] = [
        (
            .dateTime,
            [
                ["0000-01-01T00:00:00+14:00"], ["0000-01-01T00:00:00Z"], ["0001-01-01T00:00:00"],
                ["2000-12-31T23:59:59.999999999Z"], ["2001-01-01T00:00:00", "2001-01-01T00:00:00.000-00:00"],
                [
                    "2024-01-26T10:00:00+02:00", "2024-01-26T08:00:00Z", "2024-01-26T08:00:00.0",
                    "2024-01-25T22:30:00-09:30",
                ],
                ["2024-01-26T08:00:00.000000001Z"], ["2024-01-26T08:00:00.1Z", "2024-01-26T08:00:00.100000000Z"],
                ["2024-02-29T23:59:59Z"], ["2024-03-01T00:00:00Z"], ["9999-12-31T23:59:59.9Z"],
                ["9999-12-31T23:59:59-14:00"],
            ]
        ),
        (.localDateTime, [["2024-01-26T08:00:00", "2024-01-26T08:00:00.0"], ["2024-01-26T08:00:00.5"]]),
        (.offsetDateTime, [["2024-01-26T10:00:00+02:00"], ["2024-01-26T09:00:00Z"]]),
        (
            .year,
            [["-12024"], ["-0045"], ["-0044"], ["0000", "-0000"], ["0001"], ["0999"], ["2020"], ["2024"], ["12024"]]
        ),
        (
            .yearMonth,
            [
                ["-0045-12"], ["-0044-01"], ["-0044-12"], ["0000-01"], ["2020-12"], ["2021-01"], ["2021-10"],
                ["12021-01"],
            ]
        ),
        (
            .bigInteger,
            [
                ["-99999999999999999999999"], ["-9999999999999999999999"], ["-21"], ["-20"], ["-7", "-007"],
                ["0", "-0", "+00"], ["7", "+7", "007"], ["10"], ["11"], ["100"], ["99999999999999999999999"],
            ]
        ),
        (
            .number,
            [
                ["-1e99999999999999999999"], ["-1e400"], ["-123.5"], ["-123.45"], ["-123"], ["-1", "-10e-1"],
                ["-0.5", "-.50"], ["-1e-400"], ["0", "-0.0", "0e5", ".0"], ["1e-400"], ["0.05", "5e-2"], ["0.5", ".5"],
                ["1", "1.", "0.1E1"], ["1.5"], ["9.99"], ["10", "1e1", "1e+01"], ["123456789012345678901.5"],
                ["1e400"], ["1e99999999999999999999"],
            ]
        ),
    ]

    @Test("sort keys of texts have the order of the values that the texts denote", arguments: 0..<orders.count)
    func keys(number: Int) {
        let (format, groups) = Self.orders[number]
        #expect(Set(Self.orders.map(\.0)) == Set(TextFormat.allCases.filter(\.isOrdered)))
        let keys = groups.map { Set($0.map(format.orderKey)) }
        for (group, keys) in zip(groups, keys) { #expect(keys.count == 1, "\(group): \(keys)") }
        let found = keys.compactMap(\.first)
        for (place, key) in found.enumerated() {
            for other in found[(place + 1)...] {
                #expect(key.utf8.lexicographicallyPrecedes(other.utf8), "\(groups[place]), \(key) and \(other)")
            }
        }
        #expect(found.allSatisfy { $0.utf8.lexicographicallyPrecedes(format.orderKey(of: "no value").utf8) })
    }

    @Test("sort keys of random numbers have the order of the numbers")
    func randomNumbers() throws {
        var random = SeededGenerator(seed: 16)
        let numbers = (0..<400).map { _ in
            let number = Double(Int.random(in: -99_999...99_999, using: &random)) / 1_000
            return (number, ["\(number)", "\(number * 1000)e-3"].randomElement(using: &random) ?? "")
        }
        for (left, right) in zip(numbers, numbers.shuffled(using: &random)) {
            let keys = (TextFormat.number.orderKey(of: left.1), TextFormat.number.orderKey(of: right.1))
            // A product may be rounded: the comparison uses the value that the text denotes.
            let (first, second) = (try #require(Double(left.1)), try #require(Double(right.1)))
            #expect((keys.0 < keys.1) == (first < second), "\(left.1), \(right.1)")
        }
    }

    @Test(
        "rules with bounds compare texts by the order of their format, and a bound must have the format",
        arguments: StoreKind.allCases)
    func rules(kind: StoreKind) throws {
        func model(_ rule: AttributeRule, _ format: TextFormat = .dateTime) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                EntityDescription(
                    "A", [.attribute(AttributeDescription("x", .string, rules: [rule], domain: format.domain))])
            ])
        }
        let bound = StoredValue.string("2024-01-26T08:00:00Z")
        let cases: [(AttributeRule, accepted: [String], refused: [String])] = [
            (.minimum(bound), ["2024-01-26T10:00:00+02:00", "2024-01-26T08:00:01Z"], ["2024-01-26T09:59:59+02:00"]),
            (.maximum(bound), ["2024-01-26T10:00:00+02:00", "2024-01-26T09:59:59+02:00"], ["2024-01-26T08:00:01Z"]),
            (.greaterThan(bound), ["2024-01-26T08:00:01Z"], ["2024-01-26T10:00:00+02:00"]),
            (.lessThan(bound), ["2024-01-26T09:59:59+02:00"], ["2024-01-26T10:00:00+02:00"]),
        ]
        for (rule, accepted, refused) in cases {
            let stack = try kind.stack(try model(rule))
            func insert(_ text: String) throws {
                try stack.container.batchWrite { writer in
                    try writer.inserter(of: "A").insert(
                        values: [.string(text)], location: RowLocation(line: 1, record: 1))
                }
            }
            for text in accepted { try insert(text) }
            for text in refused { #expect(throws: PersistenceError.self, "\(rule) \(text)") { try insert(text) } }
        }
        let error = #expect(throws: PersistenceError.self) { try model(.minimum(.string("now"))) }
        #expect(error?.message == "the minimum “now” is not a date and time, such as 2024-01-26T10:11:12Z")
    }
}
