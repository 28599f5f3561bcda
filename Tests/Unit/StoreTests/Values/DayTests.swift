import Foundation
import StrataTestSupport
import Testing

@testable import StrataCore

@Suite("Days")
struct DayTests {
    private static func canonical(_ text: String) -> CalendarDay? { DayText.canonical(Array(text.utf8).span) }

    @Test(
        "days are parsed in two forms and written in one form",
        arguments: [
            ("2003-06-17", "2003-06-17"), ("20030617", "2003-06-17"), ("0000-02-29", "0000-02-29"),
            ("2000-02-29", "2000-02-29"), ("9999-12-31", "9999-12-31"),
        ])
    func reading(text: String, written: String) throws {
        let day = try #require(Day(text))
        #expect(day.description == written)
        #expect(Day(day.description) == day)
        #expect(try Day(year: day.year, month: day.month, day: day.day) == day)
        let json = try JSONEncoder().encode([day])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(written)\"]")
        #expect(try JSONDecoder().decode([Day].self, from: json) == [day])
    }

    @Test(
        "an invalid day is rejected with the broken rule",
        arguments: [
            ("", "not a day (2003-06-17)"), ("2003", "not a day (2003-06-17)"),
            ("+002003-06-17", "not a day (2003-06-17)"),
            ("-000001-12-31", "not a day (2003-06-17)"), ("2003-06-17T10:00", "not a day (2003-06-17)"),
            ("2003-06-17 ", "not a day (2003-06-17)"), ("2003-13-01", "month 13 is not in 1...12"),
            ("2001-02-29", "day 29 is not in 1...28, the days of month 2 of 2001"),
            ("1900-02-29", "day 29 is not in 1...28, the days of month 2 of 1900"),
        ])
    func refusing(text: String, reason: String) {
        #expect(throws: InvalidText(reason)) { try AttributeType.day.coding.parse(text) }
        #expect(Day(text) == nil)
    }

    @Test("a day with a year, month or day out of range throws")
    func parts() {
        #expect(throws: ValueError("year 10000 is not in 0...9999")) { try Day(year: 10_000, month: 1, day: 1) }
        #expect(throws: ValueError("year -1 is not in 0...9999")) { try Day(year: -1, month: 1, day: 1) }
        #expect(throws: ValueError("month 0 is not in 1...12")) { try Day(year: 2000, month: 0, day: 1) }
        #expect(throws: ValueError("day 31 is not in 1...30, the days of month 4 of 2000")) {
            try Day(year: 2000, month: 4, day: 31)
        }
        #expect(Day(daysSinceReferenceDay: .min) == nil)
        #expect(Day(daysSinceReferenceDay: .max) == nil)
        for seconds in [Double.nan, .infinity, 1e300] {
            #expect(Day(utc: Date(timeIntervalSinceReferenceDate: seconds)) == nil)
        }
    }

    @Test("days and their texts have the same order, and every day is converted from and to its number")
    func order() throws {
        var previous: Day?
        for number in stride(from: -730_860, through: 2_921_580, by: Seeds.areAll ? 1 : 97) {
            guard let day = Day(daysSinceReferenceDay: number) else { continue }
            try #require(day.daysSinceReferenceDay == number)
            try #require(Day(day.description) == day)
            try #require(Day(utc: day.startInUTC.addingTimeInterval(86_399)) == day)
            try #require(Self.canonical(day.description) == day.calendarDay)
            if let previous {
                try #require(previous < day)
                try #require(previous.description.utf8.lexicographicallyPrecedes(day.description.utf8))
            }
            previous = day
        }
        #expect(Day(daysSinceReferenceDay: -730_851)?.description == "0000-01-01")
        #expect(Day(daysSinceReferenceDay: -730_852) == nil)
        #expect(Day(daysSinceReferenceDay: 2_921_573)?.description == "9999-12-31")
        #expect(Day(daysSinceReferenceDay: 2_921_574) == nil)
    }
}

@Suite("Times of day")
struct TimeOfDayTests {
    private static func canonical(_ text: String) -> Int64? { TimeOfDayText.canonical(Array(text.utf8).span) }

    @Test(
        "times of day are parsed in several forms and written in one form",
        arguments: [
            ("08:30", "08:30:00"), ("0830", "08:30:00"), ("083000", "08:30:00"), ("08:30:00", "08:30:00"),
            ("00:00:00.0", "00:00:00"), ("10:00:00.500", "10:00:00.5"), ("10:00:00,25", "10:00:00.25"),
            ("23:59:59.999999999", "23:59:59.999999999"), ("00:00:00.000000001", "00:00:00.000000001"),
        ])
    func reading(text: String, written: String) throws {
        let time = try #require(TimeOfDay(text))
        #expect(time.description == written)
        #expect(TimeOfDay(time.description) == time)
        #expect(
            try TimeOfDay(hour: time.hour, minute: time.minute, second: time.second, nanosecond: time.nanosecond)
                == time)
        let json = try JSONEncoder().encode([time])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(written)\"]")
        #expect(try JSONDecoder().decode([TimeOfDay].self, from: json) == [time])
    }

    @Test(
        "an invalid time of day is rejected with the broken rule",
        arguments: [
            ("", "not a time of day (08:30:00)"), ("8:30", "not a time of day (08:30:00)"),
            ("08:30Z", "not a time of day (08:30:00)"), ("08:30:00.", "not a time of day (08:30:00)"),
            ("24:00", "hour 24 is not in 0...23"), ("25:00", "hour 25 is not in 0...24"),
            ("23:60", "minute 60 is not in 0...59"),
            ("23:59:60", "second 60 is a leap second, which a time of day cannot store"),
            ("10:00:00.1234567890", "more than nine digits of a second"),
        ])
    func refusing(text: String, reason: String) {
        #expect(throws: InvalidText(reason)) { try AttributeType.timeOfDay.coding.parse(text) }
        #expect(TimeOfDay(text) == nil)
    }

    @Test("a time of day with an hour, minute, second or nanosecond out of range throws")
    func parts() {
        #expect(throws: ValueError("hour 24 is not in 0...23")) { try TimeOfDay(hour: 24, minute: 0) }
        #expect(throws: ValueError("minute -1 is not in 0...59")) { try TimeOfDay(hour: 0, minute: -1) }
        #expect(throws: ValueError("second 60 is not in 0...59")) { try TimeOfDay(hour: 0, minute: 0, second: 60) }
        #expect(throws: ValueError("nanosecond 1000000000 is not in 0...999999999")) {
            try TimeOfDay(hour: 0, minute: 0, second: 0, nanosecond: 1_000_000_000)
        }
        #expect(TimeOfDay(nanosecondsSinceMidnight: -1) == nil)
        #expect(TimeOfDay(nanosecondsSinceMidnight: 86_400_000_000_000) == nil)
    }

    @Test("times of day and their texts have the same order, and only the written text is canonical")
    func order() throws {
        var random = SeededGenerator(seed: 71)
        let units: [Int64] = [1, 1_000, 1_000_000, 100_000_000, 1_000_000_000]
        var times: [TimeOfDay] = []
        for _ in 0..<Seeds.count(500, all: 5_000) {
            let unit = units.randomElement(using: &random) ?? 1
            let near = Int64.random(in: 0..<3_000_000_000, using: &random) / unit * unit
            times.append(TimeOfDay(unchecked: near))
        }
        for (left, right) in zip(times, times.dropFirst()) {
            let (first, second) = (left.description, right.description)
            try #require((left < right) == first.utf8.lexicographicallyPrecedes(second.utf8), "\(left) \(right)")
            try #require(Self.canonical(first) == left.nanosecondsSinceMidnight)
            try #require(Self.canonical(first + "0") == nil)
        }
        for text in ["08:30", "083000", "08:30:00.0", "08:30:00,5", "08:30:00.50", "8:30:00.1"] {
            #expect(Self.canonical(text) == nil, "\(text)")
        }
    }
}
