import Foundation
import StrataPersistence
import Testing

@testable import StrataReports

@Suite("Bins of dates")
struct DateBinsTests {
    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private static let spans: [(String, String, DateBins.Unit, Int, String, String)] = [
        ("2024-02-28T00:00:00Z", "2024-03-01T23:59:59Z", .day, 3, "2024-02-28", "2024-03-01"),
        ("1995-01-02T00:00:00Z", "2024-12-31T00:00:00Z", .month, 360, "1995-01", "2024-12"),
        ("1950-06-01T00:00:00Z", "2024-01-01T00:00:00Z", .years(1), 75, "1950", "2024"),
        ("1024-06-01T00:00:00Z", "2024-01-01T00:00:00Z", .years(10), 101, "1020–1029", "2020–2029"),
    ]

    @Test("date bins are days, months, years or decades, depending on the span of time", arguments: spans)
    func units(least: String, greatest: String, unit: DateBins.Unit, count: Int, first: String, last: String) throws {
        let bins = DateBins(try Self.date(least), try Self.date(greatest))
        #expect(bins.unit == unit)
        #expect(bins.count == count)
        #expect([bins.name(0), bins.name(bins.count - 1)] == [first, last])
        #expect(bins.index(of: try Self.date(least)) == 0)
        #expect(bins.index(of: try Self.date(greatest)) == count - 1)
    }

    @Test("the day of a date equals the day in the system's UTC calendar, before and after the reference date")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: -150_000, through: 400_000, by: 397) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400 + 86_399)
            let parts = calendar.dateComponents([.year, .month, .day, .era], from: date)
            // The system's calendar is Julian before 1582, unlike the tested calendar.
            guard let year = parts.year, parts.era == 1, year > 1600 else { continue }
            let found = try #require(CalendarDay(date))
            #expect([found.year, found.month, found.day] == [year, parts.month, parts.day])
        }
    }

    @Test("years before 0 and after 9999 are written with a sign")
    func farYears() {
        #expect(CalendarDay.year(44) == "0044")
        #expect(CalendarDay.year(-43) == "−0043")
        #expect(CalendarDay.year(12_345) == "+12345")
        #expect(CalendarDay(Date(timeIntervalSinceReferenceDate: 1e300)) == nil)
    }

    @Test("an axis of dates has at most the requested count of labels, each at the beginning of a year")
    func labels() throws {
        let bins = DateBins(try Self.date("1995-01-02T00:00:00Z"), try Self.date("2024-12-31T00:00:00Z"))
        #expect(bins.labels(atMost: 6).map(\.text) == ["1995", "2000", "2005", "2010", "2015", "2020"])
        #expect(bins.labels(atMost: 3).map(\.index) == [60, 180, 300])
    }
}
