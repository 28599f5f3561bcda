import StrataCore

extension DatePattern {
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The parts of a date in UTC.
    struct WrittenParts {
        var year = 2000, month = 1, day = 1
        var hour = 0, minute = 0, second = 0
        var nanoseconds = 0

        init() {}

        init(secondsOfDay seconds: Int) {
            (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        }

        /// Creates the parts from the ISO 8601 text of a date, a day or a time; `nil` if the year has not four digits.
        ///
        /// The text is `2024-01-26T10:11:12.5Z`, or one side of the `T`.
        init?(iso text: String) {
            let parts = text.split(separator: "T", omittingEmptySubsequences: false)
            if let date = parts.first, date.contains("-") {
                let numbers = date.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
                guard date.utf8.count == 10, numbers.count == 3 else { return nil }
                (year, month, day) = (numbers[0], numbers[1], numbers[2])
            }
            guard let time = parts.last, time.contains(":") else { return }
            let clock = time.split { $0 == ":" || $0 == "." || $0 == "Z" }
            let numbers = clock.compactMap { Int($0) }
            guard numbers.count >= 3 else { return nil }
            (hour, minute, second) = (numbers[0], numbers[1], numbers[2])
            if numbers.count > 3 {
                nanoseconds = Int(clock[3] + String(repeating: "0", count: max(0, 9 - clock[3].count))) ?? 0
            }
        }
    }

    /// Returns a Boolean value that indicates whether a text is a day that this format writes as the same text.
    ///
    /// If a whole column passes, an import and an export of the column preserve its texts.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - reads: A Boolean value that indicates whether it is sufficient that the text is a day.
    /// - Returns: `true` if it is.
    package func writesDay(_ text: Span<UInt8>, orReads reads: Bool = false) -> Bool {
        isWritten(text, orReads: reads) { text throws(InvalidText) in
            let day = try day(text)
            var parts = WrittenParts()
            (parts.year, parts.month, parts.day) = (day.year, day.month, day.day)
            return parts
        }
    }

    /// Returns a Boolean value that indicates whether a text is an instant that this format writes as the same text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - reads: A Boolean value that indicates whether it is sufficient that the text is a date and time.
    /// - Returns: `true` if it is.
    package func writesInstant(_ text: Span<UInt8>, orReads reads: Bool = false) -> Bool {
        isWritten(text, orReads: reads) { text throws(InvalidText) in
            let instant = try instant(text)
            guard instant.isHeldByDate else { throw InvalidText("the text has more digits than a date can store") }
            let seconds = Int(instant.seconds)
            let days = seconds.flooredQuotient(by: DateText.secondsInDay)
            let day = CalendarDay(daysSinceReferenceDay: days)
            var parts = WrittenParts(secondsOfDay: seconds - days * DateText.secondsInDay)
            (parts.year, parts.month, parts.day) = (day.year, day.month, day.day)
            parts.nanoseconds = Int(instant.nanoseconds)
            return parts
        }
    }

    /// Returns a Boolean value that indicates whether a text is a time of day that this format writes as the same text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - reads: A Boolean value that indicates whether it is sufficient that the text is a time of day.
    /// - Returns: `true` if it is.
    package func writesTime(_ text: Span<UInt8>, orReads reads: Bool = false) -> Bool {
        isWritten(text, orReads: reads) { text throws(InvalidText) in
            let nanoseconds = try nanosecondsOfDay(text)
            var parts = WrittenParts(secondsOfDay: Int(nanoseconds / 1_000_000_000))
            parts.nanoseconds = Int(nanoseconds % 1_000_000_000)
            return parts
        }
    }

    /// Returns a Boolean value that indicates whether a text can be read, and is written as the same text unless
    /// `reads` is `true`.
    private func isWritten(
        _ text: Span<UInt8>, orReads reads: Bool, _ parts: (Span<UInt8>) throws(InvalidText) -> WrittenParts
    ) -> Bool {
        do throws(InvalidText) {
            let parts = try parts(text)
            if reads { return true }
            let written = Array(try self.text(parts).utf8)
            return written.count == text.count && written.indices.allSatisfy { written[$0] == text[$0] }
        } catch {
            // The text does not match this format.
            return false
        }
    }

    /// Returns a date in UTC, a day or a time in this format.
    ///
    /// Numbers of two digits have a leading zero unless the format contains `%-d`.
    ///
    /// - Throws: ``InvalidText`` if the format lacks a part that is not zero: the text would be read as a different
    ///   value.
    func text(_ parts: WrittenParts) throws(InvalidText) -> String {
        var result = ""
        var isDirective = false
        var hasMinute = false
        var hasSecond = false
        var hasFraction = false
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        var isUnpadded = false
        func number(_ number: Int) -> String { digits(number, isUnpadded ? 1 : 2) }
        for letter in Self.expanded(text) {
            guard isDirective else {
                if letter == "%" { (isDirective, isUnpadded) = (true, false) } else { result.append(letter) }
                continue
            }
            if letter == "-" {
                isUnpadded = true
                continue
            }
            isDirective = false
            switch letter {
            case "Y": result += digits(parts.year, 4)
            case "y":
                guard 1969...2068 ~= parts.year else { throw InvalidText("the year has more than two digits") }
                result += digits(parts.year % 100, 2)
            case "m": result += number(parts.month)
            case "b", "h": result += Self.monthNames[parts.month - 1].prefix(3)
            case "B": result += Self.monthNames[parts.month - 1]
            case "d", "e": result += number(parts.day)
            case "j":
                result += digits(
                    (1..<parts.month).reduce(parts.day) { $0 + CalendarDay.length(ofMonth: $1, year: parts.year) }, 3)
            case "a": result += Self.weekday(parts).prefix(3)
            case "A": result += Self.weekday(parts)
            case "H": result += number(parts.hour)
            case "I": result += number((parts.hour + 11) % 12 + 1)
            case "p": result += parts.hour < 12 ? "AM" : "PM"
            case "M":
                hasMinute = true
                result += digits(parts.minute, 2)
            case "S":
                hasSecond = true
                result += digits(parts.second, 2)
            case "f":
                hasFraction = true
                result += Self.fraction(parts.nanoseconds)
            case "z": result += "Z"
            default: result.append(letter)
            }
        }
        guard hasTime || (parts.hour == 0 && parts.minute == 0 && parts.second == 0 && parts.nanoseconds == 0),
            hasMinute || parts.minute == 0, hasSecond || parts.second == 0, hasFraction || parts.nanoseconds == 0
        else { throw InvalidText("the format \(PrintableText.quoted(text)) cannot represent its time") }
        return result
    }

    /// Returns the format with combined directives such as `%F` expanded.
    private static func expanded(_ text: String) -> String {
        var result = ""
        var isDirective = false
        for letter in text {
            guard isDirective else {
                isDirective = letter == "%"
                result.append(letter)
                continue
            }
            isDirective = letter == "-"
            switch letter {
            case "F": result += "Y-%m-%d"
            case "T": result += "H:%M:%S"
            case "D": result += "m/%d/%y"
            case "R": result += "H:%M"
            default: result.append(letter)
            }
        }
        return result
    }

    /// Returns a fraction of a second with one to nine digits, without trailing zeros.
    private static func fraction(_ nanoseconds: Int) -> String {
        var text = String(nanoseconds)
        text = String(repeating: "0", count: 9 - text.count) + text
        while text.count > 1, text.hasSuffix("0") { text.removeLast() }
        return text
    }

    private static func weekday(_ parts: WrittenParts) -> String {
        // Sakamoto's method.
        let offsets = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
        let year = parts.month < 3 ? parts.year - 1 : parts.year
        let days = year + year / 4 - year / 100 + year / 400 + offsets[parts.month - 1] + parts.day
        return weekdays[days % 7]
    }
}
