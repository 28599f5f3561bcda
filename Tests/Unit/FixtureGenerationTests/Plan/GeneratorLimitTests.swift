import Foundation
import Testing

@testable import StrataFixtures

@Suite("Limits of generators")
struct GeneratorLimitTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let type: FixtureField.ValueType
        let generator: FixtureGenerator
        let message: String
        var testDescription: String { message }

        init(_ type: FixtureField.ValueType, _ generator: FixtureGenerator, _ message: String) {
            self.type = type
            self.generator = generator
            self.message = message
        }
    }

    static let huge = Decimal(sign: .plus, exponent: 30, significand: 1)
    static let least = Decimal(Int64.min)
    static let most = Decimal(Int64.max)
    static let parameters =
        "the mean and the deviation must have at most 0 digits after the point and be at most 2^53, and the deviation "
        + "must not be negative"

    static let refusals: [Refusal] = [
        Refusal(.text, .oneOf([String]()), "\"oneOf\" contains no text"),
        Refusal(.text, .oneOf(["a", "b", "a"]), "\"oneOf\" contains \"a\" twice; list the text once with a weight"),
        Refusal(.text, .oneOf(["a\u{0}"]), "a text must not contain U+0000"),
        Refusal(.text, .oneOf([.init("a", weight: 0)]), "a weight must be from 1 to 1000000, not 0"),
        Refusal(
            .text, .oneOf([.init("a", weight: .max), .init("b", weight: .max)]),
            "a weight must be from 1 to 1000000, not \(Int.max)"),
        Refusal(.text, .code(prefix: "a", digits: 0), "a code must have 1 to 18 digits, not 0"),
        Refusal(.text, .code(prefix: "a", digits: .max), "a code must have 1 to 18 digits, not \(Int.max)"),
        Refusal(.text, .code(prefix: "\u{0}", digits: 1), "a text must not contain U+0000"),
        Refusal(.text, .uniform(0...1), "\"uniform\" cannot generate a text"),
        Refusal(
            .integer, .uniform(0...huge),
            "the maximum 1000000000000000000000000000000 is not a whole number that fits into 64 bits"),
        Refusal(.integer, .uniform(Decimal(1) / 2...1), "the minimum 0.5 is not a whole number that fits into 64 bits"),
        Refusal(.integer, .uniform(0...1, step: 0), "the step 0 is not above 0"),
        Refusal(.integer, .uniform(0...1, step: -1), "the step -1 is not above 0"),
        Refusal(.integer, .uniform(least...most), "the range contains more numbers than 64 bits can count"),
        Refusal(
            .decimal(scale: 2), .uniform(0...1, step: Decimal(1) / 1_000),
            "the step 0.001 is not a decimal of at most 2 digits after the point that fits into 64 bits"),
        Refusal(.decimal(scale: 19), .uniform(0...1), "a decimal must have 0 to 18 digits after the point, not 19"),
        Refusal(.decimal(scale: -1), .uniform(0...1), "a decimal must have 0 to 18 digits after the point, not -1"),
        Refusal(
            .decimal(scale: .max), .uniform(0...1), "a decimal must have 0 to 18 digits after the point, not \(Int.max)"
        ),
        Refusal(.integer, .normal(mean: huge, deviation: 1, .init(0...1)), parameters),
        Refusal(.integer, .normal(mean: 0, deviation: -1, .init(0...1)), parameters),
        Refusal(.integer, .normal(mean: 0, deviation: Decimal.nan, .init(0...1)), parameters),
        Refusal(
            .integer, .normal(mean: 0, deviation: 1, .init(50...60)),
            "the curve has no values from 50 to 60; move the bounds or the curve"),
        Refusal(
            .integer, .logNormal(median: 0, sigma: 1, .init(0...1)),
            "a median must be above 0 and at most 2^53, and must have at most 0 digits after the point"),
        Refusal(
            .integer, .logNormal(median: 1, sigma: 11, .init(0...1)),
            "sigma must be from 0 to 10 with at most six digits after the point, not 11"),
        Refusal(
            .integer, .logNormal(median: 1, sigma: Decimal(1) / 10_000_000, .init(0...1)),
            "sigma must be from 0 to 10 with at most six digits after the point, not 0.0000001"),
        Refusal(
            .date, .dates(from: CivilDay.beginning(2_025), to: nil, weekdays: nil, precision: .second),
            "there is no date from 2025-01-01T00:00:00Z up to 2025-01-01T00:00:00Z; the end is the reference date by "
                + "default"
        ),
        Refusal(
            .date,
            .dates(from: CivilDay.beginning(2_030), to: CivilDay.beginning(2_029), weekdays: nil, precision: .day),
            "there is no midnight in UTC from 2030-01-01T00:00:00Z up to 2029-01-01T00:00:00Z; the end is the "
                + "reference date by default"),
        Refusal(
            .date,
            .dates(
                from: CivilDay.beginning(2_000), to: nil, weekdays: [0, 0, 0, 0, 0, 0, 0], precision: .day),
            "there is no whole day with a weight above 0 from 2000-01-01T00:00:00Z up to 2025-01-01T00:00:00Z; the end "
                + "is the reference date by default"),
        Refusal(
            .date, .dates(from: CivilDay.beginning(2_000), to: nil, weekdays: [1], precision: .day),
            "\"weekdays\" must have seven weights from 0 to 1000000, from Monday on"),
        Refusal(
            .date,
            .dates(
                from: CivilDay.beginning(2_000), to: nil, weekdays: [.max, .max, 1, 1, 1, 1, 1], precision: .day),
            "\"weekdays\" must have seven weights from 0 to 1000000, from Monday on"),
    ]

    @Test("a generator with an impossible parameter is rejected with the reason", arguments: refusals)
    func refuse(_ refusal: Refusal) {
        let message = Samples.message {
            _ = try Samples.fixtures(FixtureField("value", type: refusal.type, generator: refusal.generator), count: 1)
        }
        #expect(message == "Row.value: " + refusal.message)
    }

    struct Extreme: Sendable, CustomTestStringConvertible {
        let type: FixtureField.ValueType
        let generator: FixtureGenerator
        var testDescription: String { "\(generator)" }
    }

    static let middle = Decimal(sign: .plus, exponent: 15, significand: 9)

    static let extremes: [Extreme] = [
        Extreme(type: .integer, generator: .uniform(least...most - 1)),
        Extreme(type: .integer, generator: .uniform(least...most, step: 2)),
        Extreme(type: .integer, generator: .uniform(least...most, step: most)),
        Extreme(type: .integer, generator: .normal(mean: middle, deviation: middle, .init(least...most, step: 3))),
        Extreme(type: .integer, generator: .logNormal(median: middle, sigma: 10, .init(least...most, step: 2))),
        Extreme(type: .integer, generator: .logNormal(median: 1, sigma: 10, .init(0...most))),
        Extreme(type: .decimal(scale: 18), generator: .uniform(-9...9)),
        Extreme(type: .text, generator: .code(prefix: "", digits: 18)),
        Extreme(
            type: .date,
            generator: .dates(
                from: FixtureInstant.range.lowerBound, to: FixtureInstant.range.upperBound, weekdays: nil,
                precision: .second)),
        Extreme(
            type: .date,
            generator: .dates(
                from: FixtureInstant.range.lowerBound, to: FixtureInstant.range.upperBound,
                weekdays: [1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000],
                precision: .second)),
    ]

    @Test(
        "a generator with the widest bounds generates the first rows and the billionth row without a crash",
        arguments: extremes)
    func extreme(_ extreme: Extreme) throws {
        let field = FixtureField("value", type: extreme.type, generator: extreme.generator)
        let fixtures = try Samples.fixtures(field, count: 1)
        for index in Array(0..<200) + [999_999_999] {
            #expect(try fixtures.row(of: "Row", at: index).values["value"] != .null)
        }
    }
}
