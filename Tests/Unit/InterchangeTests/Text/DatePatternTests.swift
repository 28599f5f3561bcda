import Foundation
import StrataPersistence
import Testing

@testable import StrataInterchange

@Suite("Date formats")
struct DatePatternTests {
    /// Returns the date of a text in its exported form, or the error.
    private func read(_ pattern: String, _ text: String) throws -> String {
        let pattern = try DatePattern(pattern)
        do throws(InvalidText) {
            guard pattern.hasDay else {
                return TimeOfDay(nanosecondsSinceMidnight: try pattern.nanosecondsOfDay(Array(text.utf8).span))
                    .map(\.description) ?? "none"
            }
            var bytes: [UInt8] = []
            try DateText.append(try pattern.instant(Array(text.utf8).span).date, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            return error.reason
        }
    }

    @Test(
        "a date pattern reads a matching date or time",
        arguments: [
            ("%d.%m.%Y", "24.12.1998", "1998-12-24T00:00:00Z"), ("%d.%m.%Y", "1.2.1998", "1998-02-01T00:00:00Z"),
            ("%m/%d/%y", "1/11/99", "1999-01-11T00:00:00Z"), ("%m/%d/%y", "1/11/69", "1969-01-11T00:00:00Z"),
            ("%D", "12/31/68", "2068-12-31T00:00:00Z"), ("%y%j", "00366", "2000-12-31T00:00:00Z"),
            ("%Y%m%d", "20000229", "2000-02-29T00:00:00Z"), ("%F", "0000-01-01", "0000-01-01T00:00:00Z"),
            ("%b %d %Y", "Jun 12 1998", "1998-06-12T00:00:00Z"), ("%b %d %Y", "june  \t3 1998", "1998-06-03T00:00:00Z"),
            ("%B %e, %Y", "May 4, 2024", "2024-05-04T00:00:00Z"), ("%d-%h-%y", "4-DEC-24", "2024-12-04T00:00:00Z"),
            ("%a, %d %b %Y %T %z", "Fri, 12 Jun 1998 10:00:00 +0200", "1998-06-12T08:00:00Z"),
            ("%A %F", "monday 2001-01-01", "2001-01-01T00:00:00Z"), ("%A %F", "Sun 2000-12-31", "2000-12-31T00:00:00Z"),
            ("%F %R%z", "2020-01-01 00:30+05:30", "2019-12-31T19:00:00Z"),
            ("%FT%T%z", "2020-01-01T01:02:03Z", "2020-01-01T01:02:03Z"),
            ("%F %H:%M%z", "2020-01-01 1:2-08", "2020-01-01T09:02:00Z"),
            ("%F %T.%f", "2020-01-01 01:02:03.25", "2020-01-01T01:02:03.25Z"),
            ("%F %T,%f", "2020-01-01 01:02:03,000001", "2020-01-01T01:02:03.000001Z"),
            ("%m/%d/%Y %I:%M:%S %p", "6/2/2020 12:00:01 AM", "2020-06-02T00:00:01Z"),
            ("%m/%d/%Y %I:%M%p", "6/2/2020 12:30pm", "2020-06-02T12:30:00Z"),
            ("%m/%d/%Y %I %p", "6/2/2020 11 Pm", "2020-06-02T23:00:00Z"),
            ("%d%%%m%%%Y", "1%2%2003", "2003-02-01T00:00:00Z"),
            ("am %d.%m.%Yé", "am 1.2.2003é", "2003-02-01T00:00:00Z"),
            ("%H:%M", "8:30", "08:30:00"), ("%I:%M%p", "01:05PM", "13:05:00"),
            ("%T.%f", "23:59:59.999999999", "23:59:59.999999999"),
        ])
    func accepted(pattern: String, text: String, expected: String) throws {
        #expect(try read(pattern, text) == expected)
    }

    @Test(
        "a number directly before or after another number in a date pattern must have all its digits",
        arguments: [
            ("%Y%m%d", "2020111", "not a date in the format \"%Y%m%d\""),
            ("%Y%m%d", "20201101", "2020-11-01T00:00:00Z"),
            ("%d%m%Y", "1112020", "not a date in the format \"%d%m%Y\""),
            ("%F %H%M%S", "2020-01-01 12345", "not a date in the format \"%F %H%M%S\""),
            ("%F %H%M%S", "2020-01-01 012345", "2020-01-01T01:23:45Z"),
            ("%y%j", "0036", "not a date in the format \"%y%j\""),
            ("%F %R:%S%f", "2020-01-01 1:2:0325", "2020-01-01T01:02:03.25Z"),
            ("%F %R:%S%f", "2020-01-01 1:2:3", "not a date in the format \"%F %R:%S%f\""),
            ("%F %H:%M:%S.%f0", "2020-01-01 1:2:3.50", "not a date in the format \"%F %H:%M:%S.%f0\""),
            ("%d0%m %Y", "1002 2020", "not a date in the format \"%d0%m %Y\""),
            ("%d0%m %Y", "10002 2020", "2020-02-10T00:00:00Z"),
            ("%H:%M%z%Y/%m/%d", "1:02+022020/1/2", "not a date in the format \"%H:%M%z%Y/%m/%d\""),
            ("%H:%M%z%Y/%m/%d", "1:02+02002020/1/2", "2020-01-01T23:02:00Z"),
        ])
    func neighbours(pattern: String, text: String, expected: String) throws {
        #expect(try read(pattern, text) == expected)
    }

    @Test(
        "a date pattern rejects a text that does not match and reports the format",
        arguments: [
            ("%d.%m.%Y", "2003-01-02", "not a date in the format \"%d.%m.%Y\""),
            ("%d.%m.%Y", "", "not a date in the format \"%d.%m.%Y\""),
            ("%d.%m.%Y", "1.2.03", "not a date in the format \"%d.%m.%Y\""),
            ("%d.%m.%Y", "1.2.2003 ", "not a date in the format \"%d.%m.%Y\""),
            ("%d.%m.%Y", " 1.2.2003", "not a date in the format \"%d.%m.%Y\""),
            ("%d.%m.%y", "1.2.2003", "not a date in the format \"%d.%m.%y\""),
            ("%d.%m.%Y", "1.2.+203", "not a date in the format \"%d.%m.%Y\""),
            ("%d %m %Y", "1.2.2003", "not a date in the format \"%d %m %Y\""),
            ("%d.%m.%Y", "31.4.2003", "day 31 is not in 1...30, the days of month 4 of 2003 (format \"%d.%m.%Y\")"),
            ("%d.%m.%Y", "29.2.1900", "day 29 is not in 1...28, the days of month 2 of 1900 (format \"%d.%m.%Y\")"),
            ("%d.%m.%Y", "0.4.2003", "day 0 is not in 1...30, the days of month 4 of 2003 (format \"%d.%m.%Y\")"),
            ("%m/%d/%y", "13/1/99", "month 13 is not in 1...12 (format \"%m/%d/%y\")"),
            ("%Y %j", "2001 366", "day 366 is not in 1...365, the days of 2001 (format \"%Y %j\")"),
            ("%F %H", "2001-01-01 24", "hour 24 is not in 0...23 (format \"%F %H\")"),
            ("%F %I%p", "2001-01-01 0AM", "hour 0 is not in 1...12 (format \"%F %I%p\")"),
            ("%F %R", "2001-01-01 1:60", "minute 60 is not in 0...59 (format \"%F %R\")"),
            ("%F %T", "2001-01-01 1:00:60", "second 60 is a leap second, which cannot be stored (format \"%F %T\")"),
            ("%F %T.%f", "2001-01-01 1:00:00.1234567891", "more than nine digits of a second (format \"%F %T.%f\")"),
            ("%F %R%z", "2001-01-01 1:00+24", "offset hour 24 is not in 0...23 (format \"%F %R%z\")"),
            ("%F %R%z", "2001-01-01 1:00", "not a date in the format \"%F %R%z\""),
            ("%F %R%z", "2001-01-01 1:00+02:", "not a date in the format \"%F %R%z\""),
            ("%a %F", "Tue 2001-01-01", "that day is a Monday (format \"%a %F\")"),
            ("%d %b %Y", "1 Juno 2001", "not a date in the format \"%d %b %Y\""),
            ("%d %b %Y", "1 Ju 2001", "not a date in the format \"%d %b %Y\""),
            ("%R", "25:00", "hour 25 is not in 0...23 (format \"%R\")"),
            ("%R", "x", "not a time of day in the format \"%R\""),
        ])
    func refused(pattern: String, text: String, reason: String) throws {
        #expect(try read(pattern, text) == reason)
    }

    @Test("a day pattern rejects a text with a time other than midnight")
    func days() throws {
        let pattern = try DatePattern("%m/%d/%Y %H:%M:%S")
        #expect(try pattern.day(Array("1/2/2003 0:00:00".utf8).span) == CalendarDay(year: 2003, month: 1, day: 2))
        #expect(throws: InvalidText("the text has a time, which a day cannot have (format \"%m/%d/%Y %H:%M:%S\")")) {
            _ = try pattern.day(Array("1/2/2003 0:00:01".utf8).span)
        }
    }

    @Test(
        "an invalid date pattern is rejected with the reason",
        arguments: [
            ("DD/MM/YYYY", "the format has no part of a date; write it in strptime's letters, as in %d.%m.%Y"),
            ("", "the format has no part of a date; write it in strptime's letters, as in %d.%m.%Y"),
            ("%d.%m.", "the format has no year (%Y or %y)"), ("%d.%Y", "the format has no month (%m or %b)"),
            ("%m %y", "the format has no day (%d)"),
            ("%Y%m%d%Y", "the format has the year twice"), ("%Y %y-%m-%d", "the format has the year twice"),
            ("%b %m %d %Y", "the format has the month twice"),
            ("%F %d", "the format has the day twice"), ("%T %S", "the format has the second twice"),
            ("%Y-%j %m", "%j is the day of the year and cannot be combined with a month or a day of the month"),
            ("%F %I:%M", "%I is an hour from 1 to 12 and requires %p"),
            ("%F %H %p", "%p requires %I instead of %H"),
            ("%F %M", "the format has no hour (%H, or %I with %p)"),
            ("%F %H%S", "the format has a second but no minute (%M)"),
            ("%F %H:%M.%f", "the format has a fraction but no second (%S)"),
            ("%F%z", "the format has a zone but no hour (%H)"),
            ("%H:%M %z", "the format has no year (%Y or %y)"), ("%A", "the format has no year (%Y or %y)"),
            ("%F %", "it ends with an incomplete %; write %% for a percent sign"),
            (
                "%d.%m.%G",
                "%G is unknown; the letters are %Y %y %m %b %B %d %e %j %a %A %H %I %p %M %S %f %z %F %T %D %R and %%"
            ),
            ("%x", "%x depends on the language; write the parts, as in %d.%m.%Y"),
            ("%F %T %Z", "%Z is the name of a zone, which does not state the offset from UTC; use %z for +0200"),
        ])
    func formats(pattern: String, reason: String) {
        let error = #expect(throws: InterchangeError.self) { _ = try DatePattern(pattern) }
        #expect(error?.code == .unsupported && error?.message == "\"\(pattern)\" is not a valid date format: \(reason)")
    }
}
