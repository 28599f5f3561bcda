/// The dates of spreadsheets, which are counts of days since one of two epochs.
package struct SerialDate: Sendable {
    /// A Boolean value that indicates whether day 0 is 1 January 1904; otherwise day 1 is 1 January 1900.
    package let isFrom1904: Bool

    /// The serial numbers of 1 January 1970 in both systems.
    static let unixDay1900 = 25_569
    private static let unixDay1904 = 24_107
    /// The day that the system of 1900 contains although the date, 29 February 1900, does not exist.
    private static let falseDay = 60
    /// The day after 31 December 9999, relative to 1970.
    private static let endOfDays = 2_932_897
    static let millisecondsPerDay = 86_400_000

    /// Creates the dates of an epoch.
    package init(isFrom1904: Bool) { self.isFrom1904 = isFrom1904 }

    /// Appends the text of a serial number in ISO 8601, rounded to milliseconds; date-times have the suffix Z.
    ///
    /// - Parameters:
    ///   - serial: The serial number.
    ///   - format: The meaning of the cell: a date, a time or a date-time. A date with a fraction, and a time of at
    ///     least one day, become date-times.
    ///   - bytes: The bytes to which the text is appended.
    /// - Returns: The reason why the number is not a date; `nil` if the text was appended.
    func append(_ serial: Double, as format: NumberFormat, to bytes: inout [UInt8]) -> String? {
        guard serial >= 0, serial < Double(Self.endOfDays + Self.unixDay1900) else {
            return "the number is outside of the dates of a spreadsheet"
        }
        let total = Int((serial * Double(Self.millisecondsPerDay)).rounded())
        let (day, time) = total.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
        // A time that is rounded to midnight is shown as 00:00:00.
        if format == .time, serial < 1 {
            Self.append(time: time, to: &bytes)
            return nil
        }
        let unixDay: Int
        if isFrom1904 {
            unixDay = day - Self.unixDay1904
        } else {
            guard day != Self.falseDay else { return "day 60 is 29 February 1900, which does not exist" }
            guard day > 0 else { return "the number is before the first date, 1 January 1900" }
            unixDay = day - Self.unixDay1900 + (day < Self.falseDay ? 1 : 0)
        }
        guard unixDay < Self.endOfDays else { return "the number is outside of the dates of a spreadsheet" }
        Self.append(day: unixDay, to: &bytes)
        guard format != .date || time != 0 else { return nil }
        bytes.append(UInt8(ascii: "T"))
        Self.append(time: time, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return nil
    }

    /// Appends the date of a day relative to 1970, in the Gregorian calendar.
    private static func append(day: Int, to bytes: inout [UInt8]) {
        // The year begins in March, so that a leap day is its last day; an era has 400 years.
        let shifted = day + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = (
            year: yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1
        )
        append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.day, digits: 2, to: &bytes)
    }

    private static func append(time: Int, to bytes: inout [UInt8]) {
        let seconds = time / 1_000
        append(seconds / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(seconds / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(seconds % 60, digits: 2, to: &bytes)
        guard time % 1_000 != 0 else { return }
        bytes.append(UInt8(ascii: "."))
        append(time % 1_000, digits: 3, to: &bytes)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            bytes.append(UInt8(0x30 + number / divisor % 10))
            divisor /= 10
        }
    }
}
