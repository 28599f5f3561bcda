import Foundation
import StrataCore
import Testing

@testable import StrataFixtures

@Suite("Days and times of day")
struct CalendarFixturesTests {
    private static func schema(
        times: FixtureGenerator = .times(from: TimeOfDay("08:00") ?? midnight, to: TimeOfDay("18:00"), step: 900),
        isUnique: Bool = false
    ) -> [FixtureEntity] {
        [
            FixtureEntity(
                "Shop",
                [
                    FixtureField(
                        "founded", type: .day,
                        generator: .dates(
                            from: CivilDay.beginning(1990), to: CivilDay.beginning(1991), weekdays: nil,
                            precision: .second), isUnique: isUnique),
                    FixtureField("opens", type: .timeOfDay, generator: times, nulls: .percent(10)),
                ], count: 200)
        ]
    }

    private static let midnight = TimeOfDay(nanosecondsSinceMidnight: 0).unsafelyUnwrapped

    @Test("generated days and times of day are within their ranges")
    func ranges() throws {
        let fixtures = try Fixtures(try FixtureDescription(seed: 1, schema: Self.schema()))
        var nulls = 0
        for index in 0..<200 {
            let row = try fixtures.row(of: "Shop", at: index)
            let day: Day = try row["founded"]
            #expect(day.year == 1990)
            guard let time: TimeOfDay = try row["opens"] as TimeOfDay? else {
                nulls += 1
                continue
            }
            #expect(time.hour >= 8 && time.hour < 18 && time.minute % 15 == 0 && time.second == 0)
        }
        #expect((1...60).contains(nulls))
    }

    @Test("generated days are unique on request, and a fixed row has its given day and time")
    func unique() throws {
        var description = try FixtureDescription(seed: 1, schema: Self.schema(isUnique: true))
        let day = try #require(Day("1990-06-17"))
        description.entities["Shop"]?.fixed = [
            ["founded": .day(day), "opens": .timeOfDay(try #require(TimeOfDay("09:10:11.5")))]
        ]
        let fixtures = try Fixtures(description)
        var days: Set<Day> = []
        for index in 0..<200 { days.insert(try fixtures.row(of: "Shop", at: index)["founded"]) }
        #expect(days.count == 200)
        let first = try fixtures.row(of: "Shop", at: 0)
        #expect(try first["founded"] == day)
        #expect(try (first["opens"] as TimeOfDay?)?.description == "09:10:11.5")
    }

    @Test("a description with days and times of day is written and read unchanged")
    func descriptions() throws {
        var description = try FixtureDescription(seed: 1, schema: Self.schema())
        description.entities["Shop"]?.attributes["opens"]?.generator = .times(from: Self.midnight, to: nil, step: 60)
        description.entities["Shop"]?.fixed = [["founded": .day(try #require(Day("1990-06-17")))]]
        let json = description.json
        #expect(json.contains("\"1990-06-17\""))
        #expect(try FixtureDescription(json: Array(json.utf8), source: "it.json", schema: Self.schema()) == description)
    }

    @Test("a range of times that is empty, or has a fraction of a second or a step of 0, is rejected")
    func refusals() throws {
        func message(_ generator: FixtureGenerator) throws -> String? {
            let description = try FixtureDescription(seed: 1, schema: Self.schema(times: generator))
            return #expect(throws: FixtureError.self) { try Fixtures(description) }?.message
        }
        let eight = try #require(TimeOfDay("08:00"))
        #expect(try message(.times(from: eight, to: eight, step: 1)) == "there is no time from 08:00:00 up to 08:00:00")
        #expect(
            try message(.times(from: eight, to: nil, step: 0)) == "\"step\" must be from 1 to 86400 seconds, not 0")
        #expect(
            try message(.times(from: try #require(TimeOfDay("08:00:00.5")), to: nil, step: 1))
                == "generated times are whole seconds; omit the fractions")
    }
}
