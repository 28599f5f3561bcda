import Foundation
import StrataTestSupport
import Testing

@testable import StrataFixtures

@Suite("Days of the Gregorian calendar")
struct CivilDayTests {
    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        return calendar
    }()

    @Test("every day of the years 0 to 9999 has a date and vice versa, and consecutive days have consecutive dates")
    func all() throws {
        var isRight = true
        // The calendar repeats every 400 years.
        let years = Seeds.areAll ? [0...9_999] : [0...400, 9_599...9_999]
        for years in years {
            var day = try #require(CivilDay.day(year: years.lowerBound, month: 1, day: 1))
            for year in years {
                for month in 1...12 {
                    for number in 1...31 {
                        guard let made = CivilDay.day(year: year, month: month, day: number) else { continue }
                        isRight = isRight && made == day && CivilDay.date(made) == (year, month, number)
                        day += 1
                    }
                }
            }
        }
        #expect(isRight)
        #expect(CivilDay.day(year: 0, month: 1, day: 1) == -730_851)
        #expect(CivilDay.day(year: 9_999, month: 12, day: 31) == 2_921_573)
    }

    @Test(
        "a day has the same date and weekday as in Foundation's calendar",
        // Foundation uses the Julian calendar before 1583.
        arguments: [1_583, 1_900, 2_000, 2_001, 9_000])
    func foundation(_ start: Int) throws {
        for year in start..<start + 20 {
            for (month, number) in [(1, 1), (2, 28), (3, 1), (6, 15), (12, 31)] {
                let day = try #require(CivilDay.day(year: year, month: month, day: number))
                let date = Date(timeIntervalSinceReferenceDate: Double(day * CivilDay.secondsInDay))
                let parts = Self.calendar.dateComponents([.year, .month, .day, .weekday], from: date)
                #expect(parts.year == year)
                #expect(parts.month == month)
                #expect(parts.day == number)
                // Foundation numbers Sunday as 1.
                #expect(parts.weekday.map { ($0 + 5) % 7 } == CivilDay.weekday(day))
            }
        }
    }

    static let impossible: [[Int]] = [
        [-1, 1, 1], [10_000, 1, 1], [2_001, 0, 1], [2_001, 13, 1], [2_001, 1, 0], [2_001, 1, 32], [2_001, 2, 29],
        [1_900, 2, 29], [2_100, 2, 29], [2_001, 4, 31], [Int.min, 1, 1], [2_001, Int.max, 1], [2_001, 1, Int.max],
    ]

    @Test("an invalid date is not converted to a day", arguments: impossible)
    func refused(_ date: [Int]) {
        #expect(CivilDay.day(year: date[0], month: date[1], day: date[2]) == nil)
    }

    @Test("days are counted from Monday, 2001-01-01, in both directions")
    func weekdays() {
        #expect(CivilDay.day(year: 2_001, month: 1, day: 1) == 0)
        #expect((-8...8).map { CivilDay.weekday($0) } == [6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1])
    }

    @Test("the beginning of a year outside the range of 0 to 9999 is clamped to this range")
    func beginnings() {
        #expect("\(CivilDay.beginning(2_025))" == "2025-01-01T00:00:00Z")
        #expect(CivilDay.beginning(-5) == FixtureInstant.range.lowerBound)
        #expect("\(CivilDay.beginning(Int.max))" == "9999-01-01T00:00:00Z")
    }
}
