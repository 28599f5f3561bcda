import Foundation
import Testing

@testable import StrataFixtures

@Suite("Fixed rows")
struct FixedRowTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: FixtureField
        let count: Int
        /// Returns the value with a number below the count.
        let value: @Sendable (Int) -> FixtureValue

        init(
            _ title: String, _ type: FixtureField.ValueType, _ generator: FixtureGenerator, count: Int,
            _ value: @escaping @Sendable (Int) -> FixtureValue
        ) {
            testDescription = title
            field = FixtureField("value", type: type, generator: generator, isOptional: true, isUnique: true)
            self.count = count
            self.value = value
        }
    }

    static let words = (0..<60).map { "w\($0)" }

    static let cases: [Case] = [
        Case("unique integers", .integer, .uniform(-30...29), count: 60) { .integer(Int64($0) - 30) },
        Case("unique integers with a step", .integer, .uniform(10...590, step: 10), count: 59) {
            .integer(Int64($0) * 10 + 10)
        },
        Case("unique decimals", .decimal(scale: 1), .uniform(0...5), count: 51) { .decimal(Decimal($0) / 10) },
        Case("unique codes", .text, .code(prefix: "A", digits: 2), count: 100) { .text("A\($0 < 10 ? "0" : "")\($0)") },
        Case("unique texts of a list", .text, .oneOf(words), count: 60) { .text(words[$0]) },
        Case(
            "unique days", .date,
            .dates(
                from: UniquenessTests.instant("2001-01-01"), to: UniquenessTests.instant("2001-02-01"), weekdays: nil,
                precision: .day), count: 31
        ) { .date(Date(timeIntervalSinceReferenceDate: Double($0) * 86_400)) },
    ]

    /// The numbers of the fixed values: extremes, exchanged values and all values.
    static func orders(_ count: Int) -> [[Int]] {
        [
            [0], [count - 1], [0, count - 1], [count - 1, 0], [1, 0, 2], Array(0..<count / 2),
            Array((0..<count).reversed()), Array(0..<count),
        ]
    }

    @Test(
        "fixed values in any order keep all values unique and change only rows whose value a fixed row has",
        arguments: cases
    )
    func space(_ one: Case) throws {
        let usual = try Samples.values(try Samples.fixtures(one.field, count: one.count))
        for order in Self.orders(one.count) {
            let given = order.map(one.value)
            let fixtures = try Samples.fixtures(one.field, count: one.count, fixed: given)
            let values = try Samples.values(fixtures)
            #expect(Array(values.prefix(given.count)) == given)
            #expect(Set(values) == Set(usual))
            let changed = zip(values, usual).dropFirst(given.count).filter { $0 != $1 }
            // A row changes only if a fixed row has its value.
            #expect(changed.allSatisfy { given.contains($1) }, "\(order)")
        }
    }

    @Test(
        "fixed values that equal the values of other rows keep all values distinct", arguments: cases)
    func chains(_ one: Case) throws {
        let usual = try Samples.values(try Samples.fixtures(one.field, count: one.count))
        for shift in 1...5 {
            let given = (0..<10).map { usual[($0 + shift) % 12] }
            let values = try Samples.values(try Samples.fixtures(one.field, count: one.count, fixed: given))
            #expect(Array(values.prefix(10)) == given)
            #expect(Set(values).count == one.count)
        }
    }

    @Test("fixed values outside the generator's range, and nulls, change no other row", arguments: cases)
    func outside(_ one: Case) throws {
        let usual = try Samples.values(try Samples.fixtures(one.field, count: one.count))
        let stranger: FixtureValue =
            switch one.field.type {
            case .integer: .integer(1_000_003)
            case .decimal: .decimal(1_000_003)
            case .date: .date(Date(timeIntervalSinceReferenceDate: -86_399))
            default: .text("stranger")
            }
        for given in [[stranger], [.null], [.null, .null, stranger]] {
            let values = try Samples.values(try Samples.fixtures(one.field, count: one.count, fixed: given))
            let expected: [FixtureValue] = given + Array(usual.dropFirst(given.count))
            #expect(values == expected)
        }
    }

    @Test("a repeated fixed value of a unique field is rejected", arguments: cases)
    func twice(_ one: Case) {
        let message = Samples.message {
            _ = try Samples.fixtures(one.field, count: one.count, fixed: [one.value(3), one.value(1), one.value(3)])
        }
        #expect(message == "Row.value: two fixed rows have the same value, but the attribute is unique")
    }

    struct Same: Sendable, CustomTestStringConvertible {
        let type: FixtureField.ValueType
        let generator: FixtureGenerator
        let values: [FixtureValue]
        let isSame: Bool
        var testDescription: String { "\(values)" }
    }

    static let same: [Same] = [
        Same(type: .color, generator: .kind(.hexColor), values: ["#FFF", "#ffffff"], isSame: true),
        Same(type: .color, generator: .kind(.hexColor), values: ["#FFF", "#fffffe"], isSame: false),
        Same(
            type: .decimal(scale: 2), generator: .uniform(0...500), values: [.integer(5), .decimal(5)], isSame: true),
        Same(type: .text, generator: .kind(.colorName), values: ["caf\u{E9}", "cafe\u{301}"], isSame: false),
        Same(type: .text, generator: .kind(.colorName), values: ["a", "A"], isSame: false),
    ]

    @Test("fixed values of a unique field are compared by value, not by spelling", arguments: same)
    func written(_ one: Same) {
        let field = FixtureField("value", type: one.type, generator: one.generator, isUnique: true)
        let message = Samples.message { _ = try Samples.fixtures(field, count: 10, fixed: one.values) }
        #expect(
            message
                == (one.isSame
                    ? "Row.value: two fixed rows have the same value, but the attribute is unique" : "nothing"))
    }

    @Test("a UUID of a fixed row is not generated for another row")
    func uuids() throws {
        let field = FixtureField("value", type: .uuid, generator: .kind(.uuid), isUnique: true)
        let usual = try Samples.values(try Samples.fixtures(field, count: 50))
        let strange = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
        for given in [[usual[7]], [usual[0]], [usual[1], usual[0]], [usual[2], usual[0], usual[49], .uuid(strange)]] {
            let values = try Samples.values(try Samples.fixtures(field, count: 50, fixed: given))
            #expect(Array(values.prefix(given.count)) == given)
            #expect(Set(values).count == 50)
            #expect(zip(values, usual).dropFirst(given.count).allSatisfy { $0 == $1 || given.contains($1) })
        }
    }

    @Test("a field that must be unique rejects repeated values even if the description disables uniqueness")
    func mustBe() throws {
        let field = FixtureField("value", type: .integer, generator: .uniform(1...10), mustBeUnique: true)
        var description = try FixtureDescription(schema: [Samples.entity(field, count: 10)])
        description.entities["Row"]?.attributes["value"]?.isUnique = false
        description.entities["Row"]?.fixed = [["value": 3], ["value": 3]]
        let message = Samples.message { _ = try Fixtures(description) }
        #expect(message == "Row.value: two fixed rows have the same value, but the attribute is unique")
    }

    @Test("more fixed rows than the count of rows, and invalid fixed values, are rejected")
    func refusals() {
        let field = FixtureField("value", type: .integer, generator: .uniform(1...10), least: 1)
        let many = Samples.message { _ = try Samples.fixtures(field, count: 1, fixed: [1, 2]) }
        #expect(many == "Row: 2 fixed rows do not fit into a count of 1")
        let less = Samples.message { _ = try Samples.fixtures(field, count: 1, fixed: [0]) }
        #expect(less == "Row.value: the value is less than 1, the minimum that the model allows")
        let text = Samples.message { _ = try Samples.fixtures(field, count: 1, fixed: ["1"]) }
        #expect(text == "Row.value: the value must be a whole number")
        let null = Samples.message { _ = try Samples.fixtures(field, count: 1, fixed: [.null]) }
        #expect(null == "Row.value: the attribute is mandatory in the model")
    }
}
