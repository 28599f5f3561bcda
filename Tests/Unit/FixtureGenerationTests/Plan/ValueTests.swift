import Foundation
import Testing

@testable import StrataFixtures

@Suite("Values of generators")
struct ValueTests {
    static func list(_ code: String) -> NameList? { NameLists.all.first { $0.code == code } }

    static func people(_ locales: [String: Int], count: Int) throws -> Fixtures {
        let fields = [
            FixtureField("given", type: .text, generator: .kind(.givenName)),
            FixtureField("family", type: .text, generator: .kind(.familyName)),
            FixtureField("full", type: .text, generator: .kind(.fullName)),
        ]
        var description = try FixtureDescription(schema: [FixtureEntity("Row", fields, count: count)])
        description.locales = locales
        return try Fixtures(description)
    }

    @Test("the names of a row have one locale, and locales occur according to their weights")
    func locales() throws {
        // The scripts of these languages identify the locale of a name.
        let weights = ["el": 1, "ja": 2, "en": 5, "ko": 0]
        let lists = try weights.keys.sorted().map { try #require(Self.list($0)) }
        var counts: [String: Int] = [:]
        let fixtures = try Self.people(weights, count: 1_600)
        for index in 0..<1_600 {
            let row = try fixtures.row(of: "Row", at: index)
            let (given, family, full): (String, String, String) = (
                try row["given"], try row["family"], try row["full"]
            )
            let list = try #require(lists.first { $0.givenNames.contains(given) })
            #expect(list.familyNames.contains(family))
            counts[list.code, default: 0] += 1
            let isJapanese = list.code == "ja"
            #expect(
                (isJapanese ? list.familyNames : list.givenNames).contains { full.hasPrefix($0 + " ") }, "\(full)")
            #expect(
                (isJapanese ? list.givenNames : list.familyNames).contains { full.hasSuffix(" " + $0) }, "\(full)")
        }
        #expect(counts["ko"] == nil)
        #expect((140...260).contains(counts["el"] ?? 0))
        #expect((310...490).contains(counts["ja"] ?? 0))
        #expect((880...1_120).contains(counts["en"] ?? 0))
    }

    @Test("texts of a list occur according to their weights")
    func weights() throws {
        let field = FixtureField(
            "value", type: .text,
            generator: .oneOf([.init("a", weight: 1), .init("b", weight: 2), .init("c", weight: 5)]))
        var counts: [FixtureValue: Int] = [:]
        for value in try Samples.values(try Samples.fixtures(field, count: 4_000)) { counts[value, default: 0] += 1 }
        #expect(counts.count == 3)
        #expect((400...600).contains(counts["a"] ?? 0))
        #expect((850...1_150).contains(counts["b"] ?? 0))
        #expect((2_350...2_650).contains(counts["c"] ?? 0))
    }

    @Test(
        "nulls and Boolean values occur according to their shares, and exactly for shares of 0 % and 100 %",
        arguments: [0, 10, 50, 100])
    func shares(_ percent: Int) throws {
        let field = FixtureField(
            "value", type: .boolean, generator: .chance(.percent(percent)), nulls: .percent(percent), isOptional: true)
        let values = try Samples.values(try Samples.fixtures(field, count: 2_000))
        let nulls = values.count { $0 == .null }
        #expect(abs(nulls - 20 * percent) <= (percent % 100 == 0 ? 0 : 130))
        let expected = (2_000 - nulls) * percent / 100
        #expect(abs(values.count { $0 == true } - expected) <= (percent % 100 == 0 ? 0 : 130))
    }

    struct Days: Sendable, CustomTestStringConvertible {
        let from: String
        let to: String
        var weekdays: [Int]?
        let precision: FixtureGenerator.Precision
        /// The first and the last possible second, and the count of possible seconds.
        let first: String
        let last: String
        var testDescription: String { "\(from) \(to) \(weekdays ?? []) \(precision)" }
    }

    static let all = [1, 1, 1, 1, 1, 1, 1]

    static let ranges: [Days] = [
        Days(from: "2024-05-06", to: "2024-05-09", precision: .day, first: "2024-05-06", last: "2024-05-08"),
        Days(from: "2024-05-06T12:00:00Z", to: "2024-05-09", precision: .day, first: "2024-05-07", last: "2024-05-08"),
        Days(from: "2024-05-06", to: "2024-05-09T00:00:01Z", precision: .day, first: "2024-05-06", last: "2024-05-09"),
        Days(
            from: "2024-05-06", to: "2024-05-09T00:00:01Z", weekdays: all, precision: .day, first: "2024-05-06",
            last: "2024-05-09"),
        Days(
            from: "2024-05-06", to: "2024-05-13", weekdays: [0, 1, 0, 0, 0, 1, 0], precision: .day, first: "2024-05-07",
            last: "2024-05-11"),
        Days(
            from: "1999-12-31T23:59:58Z", to: "2000-01-01T00:00:01Z", precision: .second, first: "1999-12-31T23:59:58Z",
            last: "2000-01-01"),
        Days(
            from: "1999-12-31T21:00:01Z", to: "2000-01-01T00:00:01Z", precision: .hour, first: "1999-12-31T22:00:00Z",
            last: "2000-01-01"),
        Days(
            from: "2024-05-06T12:00:00Z", to: "2024-05-06T12:03:00Z", precision: .minute, first: "2024-05-06T12:00:00Z",
            last: "2024-05-06T12:02:00Z"),
        Days(
            from: "2024-05-06", to: "2024-05-08", weekdays: [0, 1, 0, 0, 0, 0, 0], precision: .hour,
            first: "2024-05-07T00:00:00Z", last: "2024-05-07T23:00:00Z"),
    ]

    @Test(
        "generated dates include the start, exclude the end, and reach the first and the last permitted date",
        arguments: ranges)
    func dates(_ one: Days) throws {
        let field = FixtureField(
            "value", type: .date,
            generator: .dates(
                from: UniquenessTests.instant(one.from), to: UniquenessTests.instant(one.to), weekdays: one.weekdays,
                precision: one.precision))
        let dates = try Samples.values(try Samples.fixtures(field, count: 200)).compactMap { value -> Date? in
            if case .date(let date) = value { date } else { nil }
        }
        #expect(dates.count == 200)
        #expect(dates.min() == UniquenessTests.instant(one.first).date)
        #expect(dates.max() == UniquenessTests.instant(one.last).date)
    }

    @Test("dates with weights of weekdays are only on days that are completely within the range")
    func weightedSeconds() throws {
        let field = FixtureField(
            "value", type: .date,
            generator: .dates(
                from: UniquenessTests.instant("2024-05-06T12:00:00Z"),
                to: UniquenessTests.instant("2024-05-08T12:00:00Z"), weekdays: Self.all, precision: .second))
        for value in try Samples.values(try Samples.fixtures(field, count: 200)) {
            guard case .date(let date) = value else { continue }
            #expect(FixtureInstant(date)?.description.hasPrefix("2024-05-07T") == true)
        }
    }
}
