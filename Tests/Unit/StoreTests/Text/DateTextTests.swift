import Foundation
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Dates as text")
struct DateTextTests {
    private static func parse(_ text: String) throws(InvalidText) -> Date {
        try DateText.parse(Array(text.utf8).span)
    }

    private static func write(_ date: Date) throws -> String {
        var bytes: [UInt8] = []
        try DateText.append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "every common ISO 8601 spelling of a date is read, and the date is written in UTC",
        arguments: [
            ("2003-06-17", "2003-06-17T00:00:00Z"),
            ("2002-08-14 00:00:00", "2002-08-14T00:00:00Z"),
            ("2002-08-14T23:59", "2002-08-14T23:59:00Z"),
            ("2002-08-14t23:59:58z", "2002-08-14T23:59:58Z"),
            ("2002-08-14 23:59:58 Z", "2002-08-14T23:59:58Z"),
            ("2002-08-14T23:59:58.5", "2002-08-14T23:59:58.5Z"),
            ("2002-08-14T23:59:58,250", "2002-08-14T23:59:58.25Z"),
            ("2001-01-01T00:00:00.123456789Z", "2001-01-01T00:00:00.123456789Z"),
            ("2000-12-31T23:59:59.999999999Z", "2000-12-31T23:59:59.999999999Z"),
            ("2002-08-14T01:00:00+02", "2002-08-13T23:00:00Z"),
            ("2002-08-14T01:00:00+0200", "2002-08-13T23:00:00Z"),
            ("2002-08-14T01:00:00+02:00", "2002-08-13T23:00:00Z"),
            ("2002-08-14 01:00 -05:30", "2002-08-14T06:30:00Z"),
            ("2002-08-14 01:00:00-00:00", "2002-08-14T01:00:00Z"),
            ("20030617", "2003-06-17T00:00:00Z"),
            ("20030617T101112Z", "2003-06-17T10:11:12Z"),
            ("20030617T1011", "2003-06-17T10:11:00Z"),
            ("20030617 101112.75+01", "2003-06-17T09:11:12.75Z"),
            ("2003-06-17T24:00:00Z", "2003-06-18T00:00:00Z"),
            ("2003-12-31T24:00", "2004-01-01T00:00:00Z"),
            ("2004-02-29", "2004-02-29T00:00:00Z"),
            ("2000-02-29", "2000-02-29T00:00:00Z"),
            ("+012345-01-02", "+012345-01-02T00:00:00Z"),
            ("+0123450102", "+012345-01-02T00:00:00Z"),
            ("-000001-12-31", "-000001-12-31T00:00:00Z"),
            ("+002003-06-17", "2003-06-17T00:00:00Z"),
            ("0000-02-29", "0000-02-29T00:00:00Z"),
            ("-000000-01-01", "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999", "9999-12-31T23:59:59.999Z"),
            ("9999-12-31T24:00:00", "+010000-01-01T00:00:00Z"),
            ("-999999-01-01", "-999999-01-01T00:00:00Z"),
            ("+999999-12-31T23:59:59", "+999999-12-31T23:59:59Z"),
        ])
    func reading(text: String, written: String) throws {
        #expect(try Self.write(Self.parse(text)) == written)
    }

    @Test(
        "a date text is parsed to the same instant as in a calendar",
        arguments: [
            ("2001-01-01", 0), ("2000-12-31T23:59:59", -1), ("1970-01-01", -978_307_200),
            ("1900-02-28", -3_182_284_800),
            ("1900-03-01", -3_182_198_400), ("2024-02-29T12:00:00Z", 730_900_800), ("0001-01-01", -63_113_904_000),
            ("2001-01-01T00:00:00.1", 0.1), ("2000-12-31T23:59:59.9", -0.1),
        ])
    func instants(text: String, seconds: Double) throws {
        #expect(try Self.parse(text).timeIntervalSinceReferenceDate == seconds)
    }

    private static let notADate = "not an ISO 8601 date (2003-06-17, 2003-06-17T10:11:12Z)"

    @Test(
        "an invalid date text is rejected with the broken rule",
        arguments: [
            ("2020-13-45", "month 13 is not in 1...12"), ("2020-00-01", "month 0 is not in 1...12"),
            ("2021-02-29", "day 29 is not in 1...28, the days of month 2 of 2021"),
            ("1900-02-29", "day 29 is not in 1...28, the days of month 2 of 1900"),
            ("2020-04-31", "day 31 is not in 1...30, the days of month 4 of 2020"),
            ("2020-04-00", "day 0 is not in 1...30, the days of month 4 of 2020"),
            ("2020-01-01T25:00", "hour 25 is not in 0...24"), ("2020-01-01T10:60", "minute 60 is not in 0...59"),
            ("2020-01-01T10:11:60", "second 60 is a leap second, which a date cannot store"),
            ("2020-01-01T10:11:61", "second 61 is not in 0...59"),
            ("2020-01-01T24:00:01", "hour 24 is allowed only in 24:00:00, the end of the day"),
            ("2020-01-01T24:00:00.000000001", "hour 24 is allowed only in 24:00:00, the end of the day"),
            ("2020-01-01T10:11:12.1234567890", "more than nine digits of a second"),
            ("2020-01-01T10:11+24:00", "offset hour 24 is not in 0...23"),
            ("2020-01-01T10:11+01:60", "offset minute 60 is not in 0...59"),
            ("+2020-01-01", "a year with a sign must have six digits"),
            ("+999999-12-31T23:59-01", "in UTC the date is outside the years -999999 to 999999"),
            ("-999999-01-01T00:00+01", "in UTC the date is outside the years -999999 to 999999"),
            ("", notADate), (" 2020-01-01", notADate), ("2020-01-01 ", notADate), ("2020-1-1", notADate),
            ("01/02/2020", notADate), ("2020-01", notADate), ("2020-0101", notADate), ("202001-01", notADate),
            ("2020-01-01T", notADate), ("2020-01-01T10", notADate), ("2020-01-01T10:", notADate),
            ("2020-01-01T10:11:", notADate), ("2020-01-01T10:11:12.", notADate), ("2020-01-01T10:11.5", notADate),
            ("2020-01-01T10:11:12Zx", notADate), ("2020-01-01T10:11:12 ", notADate), ("2020-01-01T10:11+1", notADate),
            ("2020-01-01T10:11+01:", notADate), ("2020-01-01Z", notADate), ("now", notADate), ("20", notADate),
            ("２０２０-01-01", notADate), ("2020-W01-1", notADate),
            ("2020-01-01T10:11:12.1234567890123", "more than nine digits of a second"),
        ])
    func refusing(text: String, reason: String) {
        #expect(throws: InvalidText(reason)) { try Self.parse(text) }
    }

    @Test(
        "writing a date that has no text throws and writes nothing",
        arguments: [
            (Double.nan, "a date that is not finite has no text"), (.infinity, "a date that is not finite has no text"),
            (31_493_806_473_600, "the date is outside the years -999999 to 999999, which a text can represent"),
            (1e300, "the date is outside the years -999999 to 999999, which a text can represent"),
            (-31_620_065_904_001, "the date is outside the years -999999 to 999999, which a text can represent"),
        ])
    func unwritable(interval: Double, reason: String) {
        var bytes: [UInt8] = [1]
        #expect(throws: InvalidText(reason)) {
            try DateText.append(Date(timeIntervalSinceReferenceDate: interval), to: &bytes)
        }
        #expect(bytes == [1])
    }

    @Test(
        "any date is read back unchanged from its text, and the text has the fewest possible digits",
        arguments: [
            (-1.0...1.0, 1), (-1e3...1e3, 2), (-8.4e6...8.4e6, 3), (0...8e8, 4), (-1e10 ... -3e9, 5),
            (2.5e11...3e13, 6),
            (-3e13 ... -6e10, 7), (-1e-6...1e-6, 8),
        ] as [(ClosedRange<Double>, UInt64)])
    func roundTrip(range: ClosedRange<Double>, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Seeds.count(1_000, all: 5_000) {
            let interval = Double.random(in: range, using: &generator)
            let date = Date(timeIntervalSinceReferenceDate: interval).roundedToNanosecond()
            let text = try Self.write(date)
            try #require(try Self.parse(text) == date, "\(text)")
            guard let point = text.firstIndex(of: ".") else { continue }
            try #require(!text.hasSuffix("0Z"))
            // One digit less, rounded down or up, is another date.
            let shorter = try Self.parse(String(text.dropLast(2) + "0Z"))
            let digits = text.distance(from: point, to: text.endIndex) - 2
            let step = Int32(pow(10, Double(10 - digits)).rounded())
            let up = Self.exactly(shorter, plus: step, fractionOf: text)
            try #require(shorter != date && up != date, "\(text)")
        }
    }

    /// Returns the date of the text without its last digit, one step later, computed with integers.
    private static func exactly(_ date: Date, plus step: Int32, fractionOf text: String) -> Date {
        let fraction = text.split(separator: ".")[1].dropLast().dropLast()
        let padded = fraction + String(repeating: "0", count: 9 - fraction.count)
        let whole = (try? parse(text.split(separator: ".")[0] + "Z"))?.timeIntervalSinceReferenceDate ?? .nan
        return Date(
            nearestToSecondsSinceReferenceDate: Int64(whole), nanoseconds: (Int32(padded) ?? 0) + step)
    }

    @Test("the texts of consecutive days are ascending and are read back, over 400 years or 1,200 years")
    func everyDay() throws {
        var previous = ""
        for day in Seeds.areAll ? -400 * 366...800 * 366 : -200 * 366...200 * 366 {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let text = try Self.write(date)
            try #require(try Self.parse(text) == date, "\(text)")
            try #require(previous < text, "\(previous) before \(text)")
            previous = text
        }
    }

    @Test("random bytes are parsed as a date or rejected, and never trap")
    func hostileBytes() {
        var generator = SeededGenerator(seed: 99)
        let alphabet = Array("0123456789-+:.,TZz ".utf8) + [0, 0xFF, 0xC3]
        var read = 0
        for _ in 0..<Seeds.count(20_000, all: 100_000) {
            var bytes = Array("2003-06-17T10:11:12.5+01:00".utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[position] = alphabet.randomElement(using: &generator) ?? 0
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
            if (try? DateText.parse(bytes.span)) != nil { read += 1 }
        }
        #expect(read > 1_000)
    }
}
