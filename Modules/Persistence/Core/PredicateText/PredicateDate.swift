import Foundation

/// An instant in ISO 8601 as it is written in predicates: `2020-01-31`, `2020-01-31T10:11`, `2020-01-31 10:11:12.5+02:00`.
///
/// A day alone is its midnight, and what has no zone is in UTC.
struct PredicateDate {
    private static let secondsInDay = 86_400
    private static let nanosecondsInSecond = 1_000_000_000

    private let bytes: [UInt8]
    private var place = 0

    /// The date nearest to the text's instant; `nil` where the text is none.
    static func date(_ text: String) -> Date? {
        // No date is longer; a text of a million digits is none.
        guard text.utf8.count <= 40 else { return nil }
        var reader = PredicateDate(bytes: Array(text.utf8))
        return reader.read()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func read() -> Date? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
            1...12 ~= month, 1...CalendarDay.length(ofMonth: month, year: year) ~= day
        else { return nil }
        var seconds = CalendarDay(year: year, month: month, day: day).daysSinceReferenceDay * Self.secondsInDay
        var nanoseconds = 0
        if place < bytes.count {
            guard skip("T") || skip("t") || skip(" "), let hour = number(2), hour < 24, skip(":"),
                let minute = number(2), minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if skip(":") {
                guard let second = number(2), second < 60 else { return nil }
                seconds += second
                if skip(".") || skip(",") {
                    guard let fraction = fraction() else { return nil }
                    nanoseconds = fraction
                }
            }
            guard let offset = zone(), place == bytes.count else { return nil }
            seconds -= offset
        }
        return Date(nearestToSecondsSinceReferenceDate: Int64(seconds), nanoseconds: Int32(nanoseconds))
    }

    private mutating func fraction() -> Int? {
        var (value, unit) = (0, Self.nanosecondsInSecond)
        while place < bytes.count, case let digit = bytes[place] &- UInt8(ascii: "0"), digit <= 9 {
            guard unit > 1 else { return nil }
            unit /= 10
            value += Int(digit) * unit
            place += 1
        }
        return unit == Self.nanosecondsInSecond ? nil : value
    }

    /// The seconds east of UTC.
    private mutating func zone() -> Int? {
        if place == bytes.count || skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), hours < 24 else { return nil }
        var minutes = 0
        if place < bytes.count {
            _ = skip(":")
            guard let number = number(2), number < 60 else { return nil }
            minutes = number
        }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private mutating func number(_ count: Int) -> Int? {
        guard bytes.count - place >= count else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        place += count
        return value
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }
}
