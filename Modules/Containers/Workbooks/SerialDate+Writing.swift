extension SerialDate {
    /// The day before the first day that all programs count in the same way, 1 March 1900.
    private static let lastDifferentDay = 60

    /// Returns the serial number, in the system of 1900, of a text such as `2024-02-29`, `2024-02-29T12:30:00Z` or
    /// `12:30:00.250`.
    ///
    /// - Parameters:
    ///   - text: A valid date, date-time in UTC or time of day in ISO 8601.
    ///   - format: The meaning of the text: a date, a date-time or a time.
    /// - Returns: The serial number; `nil` if a spreadsheet does not represent the text exactly, for example because it
    ///   is before 1 March 1900 or has more than three digits after the second.
    package static func serial(of text: Span<UInt8>, as format: NumberFormat) -> Double? {
        switch format {
        case .date: text.count == 10 ? day(text).map(Double.init) : nil
        case .time: milliseconds(text).map { Double($0) / Double(millisecondsPerDay) }
        case .dateTime:
            if text.count >= 20, text[10] == UInt8(ascii: "T"), text[text.count - 1] == UInt8(ascii: "Z"),
                let day = day(text.extracting(0..<10)),
                let time = milliseconds(text.extracting(11..<(text.count - 1)))
            {
                Double(day * millisecondsPerDay + time) / Double(millisecondsPerDay)
            } else {
                nil
            }
        case .number, .duration, .local: nil
        }
    }

    private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            guard 0x30...0x39 ~= text[index] else { return nil }
            value = value * 10 + Int(text[index] - 0x30)
        }
        return value
    }

    private static func day(_ text: Span<UInt8>) -> Int? {
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let year = number(text, 0..<4),
            let month = number(text, 5..<7), let day = number(text, 8..<10), 1...12 ~= month, 1...31 ~= day
        else { return nil }
        // The year begins in March, so that a leap day is its last day; an era has 400 years.
        let shifted = month > 2 ? year : year - 1
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let serial = shifted / 400 * 146_097 + dayOfEra - 719_468 + unixDay1900
        return year >= 1900 && serial > lastDifferentDay ? serial : nil
    }

    private static func milliseconds(_ text: Span<UInt8>) -> Int? {
        guard text.count == 8 || (10...12 ~= text.count && text[8] == UInt8(ascii: ".")),
            text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":"), let hour = number(text, 0..<2),
            let minute = number(text, 3..<5), let second = number(text, 6..<8), hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction = 0
        if text.count > 8 {
            guard let digits = number(text, 9..<text.count) else { return nil }
            fraction = digits * (text.count == 10 ? 100 : text.count == 11 ? 10 : 1)
        }
        return ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
    }
}
