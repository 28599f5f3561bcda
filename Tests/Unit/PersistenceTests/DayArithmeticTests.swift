import Foundation
import StrataPersistence
import Testing

@Suite("Arithmetic with days")
struct DayArithmeticTests {
    private static func day(_ text: String) throws -> Day { try #require(Day(text)) }

    @Test("adding days, months and years to a day has the same result as Foundation's calendar")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var day = try Self.day("1899-12-01")
        let end = try Self.day("1905-03-02")
        while day < end {
            for count in [-200, -31, -1, 0, 1, 28, 59, 366] {
                for (component, result) in [
                    (Calendar.Component.day, day.adding(days: count)), (.month, day.adding(months: count)),
                    (.year, day.adding(years: count)),
                ] {
                    let expected = calendar.date(byAdding: component, value: count, to: day.startInUTC)
                    #expect(result == expected.flatMap(Day.init(utc:)), "\(day) \(component) \(count)")
                }
            }
            day = day.advanced(by: 17)
        }
    }

    @Test("adding to a day returns nil if the result is outside the years 0 to 9999")
    func limits() throws {
        let (first, last) = (try Self.day("0000-01-01"), try Self.day("9999-12-31"))
        #expect(first.adding(days: -1) == nil && last.adding(days: 1) == nil)
        #expect(first.adding(months: -1) == nil && last.adding(months: 1) == nil)
        for count in [Int.min, .max] {
            #expect(first.adding(days: count) == nil)
            #expect(first.adding(months: count) == nil)
            #expect(last.adding(years: count) == nil)
            #expect(first.advanced(by: count) == (count < 0 ? first : last))
        }
    }

    @Test("days can be strided and used in ranges")
    func strides() throws {
        let (first, last) = (try Self.day("2024-02-27"), try Self.day("2024-03-01"))
        #expect((first...last).map(\.description) == ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"])
        #expect(first.distance(to: last) == 3 && last.distance(to: first) == -3)
        #expect(Array(stride(from: first, to: last, by: 2)).map(\.day) == [27, 29])
        let end = try Self.day("9999-12-31")
        #expect(Array(stride(from: try Self.day("9999-12-30"), to: end, by: 2)).map(\.day) == [30])
        #expect(PersistenceError.Code.uniqueness.rawValue == "uniqueness")
    }
}
