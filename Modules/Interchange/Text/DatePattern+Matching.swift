import StrataCore

extension DatePattern {
    /// The parts of a text in the format.
    ///
    /// Parts that the format lacks have the values of midnight.
    struct Parts {
        var year = 0
        var month = 1
        var day = 1
        var dayOfYear: Int?
        var weekday: Int?
        var hour = 0
        var isAfternoon: Bool?
        var minute = 0
        var second = 0
        var nanoseconds = 0
        /// The offset from UTC in seconds, positive to the east.
        var offset = 0

        var secondsOfDay: Int {
            // With AM and PM, hour 12 is the first hour of its half of the day.
            let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? hour
            return hour * 3600 + minute * 60 + second
        }
    }

    /// Reads an instant.
    ///
    /// - Throws: ``InvalidText`` that names the format.
    func instant(_ bytes: Span<UInt8>) throws(InvalidText) -> ExactInstant {
        let (parts, day) = try date(bytes)
        let seconds = day.daysSinceReferenceDay * DateText.secondsInDay + parts.secondsOfDay - parts.offset
        return ExactInstant(seconds: Int64(seconds), nanoseconds: Int32(parts.nanoseconds))
    }

    /// Reads a day; a time must be midnight, because some programs write it with every day.
    ///
    /// - Throws: ``InvalidText`` that names the format.
    func day(_ bytes: Span<UInt8>) throws(InvalidText) -> CalendarDay {
        guard !hasZone else { throw refusal("the text has a zone, which a day cannot have") }
        let (parts, day) = try date(bytes)
        guard parts.secondsOfDay == 0, parts.nanoseconds == 0 else {
            throw refusal("the text has a time, which a day cannot have")
        }
        return day
    }

    /// Reads a time of day and returns it in nanoseconds since midnight.
    ///
    /// - Throws: ``InvalidText`` that names the format.
    func nanosecondsOfDay(_ bytes: Span<UInt8>) throws(InvalidText) -> Int64 {
        let parts = try parts(bytes)
        return Int64(parts.secondsOfDay) * 1_000_000_000 + Int64(parts.nanoseconds)
    }

    /// Reads a text, and validates the day, which depends on the month and the year.
    private func date(_ bytes: Span<UInt8>) throws(InvalidText) -> (parts: Parts, day: CalendarDay) {
        let parts = try parts(bytes)
        let day: CalendarDay
        if let number = parts.dayOfYear {
            let length = CalendarDay.isLeap(parts.year) ? 366 : 365
            guard 1...length ~= number else {
                throw refusal("day \(number) is not in 1...\(length), the days of \(parts.year)")
            }
            let first = CalendarDay(year: parts.year, month: 1, day: 1).daysSinceReferenceDay
            day = CalendarDay(daysSinceReferenceDay: first + number - 1)
        } else {
            guard 1...12 ~= parts.month else { throw refusal("month \(parts.month) is not in 1...12") }
            let length = CalendarDay.length(ofMonth: parts.month, year: parts.year)
            guard 1...length ~= parts.day else {
                throw refusal(
                    "day \(parts.day) is not in 1...\(length), the days of month \(parts.month) of \(parts.year)")
            }
            day = CalendarDay(year: parts.year, month: parts.month, day: parts.day)
        }
        if let weekday = parts.weekday {
            // The reference day was a Monday.
            let number = day.daysSinceReferenceDay - day.daysSinceReferenceDay.flooredQuotient(by: 7) * 7
            guard weekday == number else { throw refusal("that day is a \(Self.weekdays[number])") }
        }
        return (parts, day)
    }

    /// The error for a text of another form.
    private var mismatch: InvalidText {
        InvalidText("not a \(hasDay ? "date" : "time of day") in the format \(PrintableText.quoted(text))")
    }

    /// Returns the error for a text of the right form whose parts are no value.
    private func refusal(_ reason: String) -> InvalidText {
        InvalidText("\(reason) (format \(PrintableText.quoted(text)))")
    }

    /// Splits a text into its parts.
    private func parts(_ bytes: Span<UInt8>) throws(InvalidText) -> Parts {
        var parts = Parts()
        var index = 0
        for item in items {
            switch item {
            case .literal(let byte):
                guard index < bytes.count, bytes[index] == byte else { throw mismatch }
                index += 1
            case .space:
                let start = index
                while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
                    index += 1
                }
                guard index > start else { throw mismatch }
            case .field(let field, let isFull):
                try read(field, isFull: isFull, bytes, &index, into: &parts)
            }
        }
        guard index == bytes.count else { throw mismatch }
        return parts
    }

    /// Reads one field, and validates its range as far as it does not depend on other fields.
    private func read(
        _ field: Field, isFull: Bool, _ bytes: Span<UInt8>, _ index: inout Int, into parts: inout Parts
    ) throws(InvalidText) {
        func number(_ digits: ClosedRange<Int>) throws(InvalidText) -> Int {
            let digits = isFull ? digits.upperBound...digits.upperBound : digits
            guard let value = Self.number(bytes, &index, digits: digits) else { throw mismatch }
            return value
        }
        func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws(InvalidText) -> Int {
            guard range ~= value else { throw refusal("\(name) \(value) is not in \(range)") }
            return value
        }
        switch field {
        case .year: parts.year = try number(4...4)
        case .shortYear:
            let year = try number(2...2)
            // The same rule as in POSIX.
            parts.year = year < 69 ? 2000 + year : 1900 + year
        case .month: parts.month = try number(1...2)
        case .day: parts.day = try number(1...2)
        case .dayOfYear: parts.dayOfYear = try number(1...3)
        case .hour: parts.hour = try check(try number(1...2), "hour", 0...23)
        case .shortHour: parts.hour = try check(try number(1...2), "hour", 1...12)
        case .minute: parts.minute = try check(try number(1...2), "minute", 0...59)
        case .second:
            parts.second = try number(1...2)
            guard parts.second != 60 else { throw refusal("second 60 is a leap second, which cannot be stored") }
            parts.second = try check(parts.second, "second", 0...59)
        case .fraction:
            let start = index
            var value = try number(1...9)
            guard isFull || index == bytes.count || bytes[index] &- UInt8(ascii: "0") > 9 else {
                throw refusal("more than nine digits of a second")
            }
            for _ in index - start..<9 { value *= 10 }
            parts.nanoseconds = value
        case .monthName:
            guard let month = Self.word(bytes, &index, among: Self.months) else { throw mismatch }
            parts.month = month + 1
        case .weekday:
            guard let weekday = Self.word(bytes, &index, among: Self.weekdays) else { throw mismatch }
            parts.weekday = weekday
        case .half:
            guard let half = Self.word(bytes, &index, among: ["AM", "PM"]) else { throw mismatch }
            parts.isAfternoon = half == 1
        case .zone: parts.offset = try offset(bytes, &index, isFull: isFull)
        }
    }

    /// Returns an offset from UTC in seconds, positive to the east.
    private func offset(_ bytes: Span<UInt8>, _ index: inout Int, isFull: Bool) throws(InvalidText) -> Int {
        guard index < bytes.count else { throw mismatch }
        let sign = bytes[index]
        index += 1
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = Self.number(bytes, &index, digits: 2...2)
        else { throw mismatch }
        let behindHours = index
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") { index += 1 }
        let hasColon = index > behindHours
        let minutes = Self.number(bytes, &index, digits: 2...2)
        guard minutes != nil || !(hasColon || isFull) else { throw mismatch }
        guard 0...23 ~= hours else { throw refusal("offset hour \(hours) is not in 0...23") }
        guard 0...59 ~= minutes ?? 0 else { throw refusal("offset minute \(minutes ?? 0) is not in 0...59") }
        return (hours * 3600 + (minutes ?? 0) * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    /// Reads as many digits as possible, up to the maximum; returns `nil` without moving if there are too few.
    private static func number(_ bytes: Span<UInt8>, _ index: inout Int, digits: ClosedRange<Int>) -> Int? {
        var value = 0
        var end = index
        while end < bytes.count, end - index < digits.upperBound {
            let digit = bytes[end] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value * 10 + Int(digit)
            end += 1
        }
        guard digits.contains(end - index) else { return nil }
        index = end
        return value
    }

    /// Reads a word or its first three letters in any case and returns its index; returns `nil` without moving if none.
    private static func word(_ bytes: Span<UInt8>, _ index: inout Int, among words: [String]) -> Int? {
        var letters: [UInt8] = []
        var end = index
        while end < bytes.count, (bytes[end] | 0x20) &- UInt8(ascii: "a") < 26 {
            letters.append(bytes[end] | 0x20)
            end += 1
        }
        let found = words.firstIndex { word in
            let word = word.utf8.map { $0 | 0x20 }
            return word == letters || word.prefix(3).elementsEqual(letters)
        }
        if found != nil { index = end }
        return found
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}
