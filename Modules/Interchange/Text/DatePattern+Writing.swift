import StrataCore

extension DatePattern {
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// What a date in UTC consists of.
    struct WrittenParts {
        var year = 2000, month = 1, day = 1
        var hour = 0, minute = 0, second = 0
        var nanoseconds = 0

        init() {}

        /// The parts of what a date, a day or a time is written as: `2024-01-26T10:11:12.5Z`, or one side of the `T`; `nil` for a year of other
        /// than four digits.
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

    /// Whether a text is a day in this format, and what is written for that day.
    package func writesDay(_ text: Span<UInt8>) -> Bool {
        do throws(InvalidText) {
            let day = try day(text)
            var parts = WrittenParts()
            (parts.year, parts.month, parts.day) = (day.year, day.month, day.day)
            return Array(try self.text(parts).utf8).elementsEqual(text.indices.map { text[$0] })
        } catch {
            // It is no day in this format.
            return false
        }
    }

    /// A date in UTC, a day or a time in this format, with zeros in front of numbers.
    ///
    /// - Throws: ``InvalidText`` where the format has no room for a part that is not zero: what is read back would be another value.
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
        for letter in Self.expanded(text) {
            guard isDirective else {
                if letter == "%" { isDirective = true } else { result.append(letter) }
                continue
            }
            isDirective = false
            switch letter {
            case "Y": result += digits(parts.year, 4)
            case "y":
                guard 1969...2068 ~= parts.year else { throw InvalidText("the year has more than two digits") }
                result += digits(parts.year % 100, 2)
            case "m": result += digits(parts.month, 2)
            case "b", "h": result += Self.monthNames[parts.month - 1].prefix(3)
            case "B": result += Self.monthNames[parts.month - 1]
            case "d", "e": result += digits(parts.day, 2)
            case "j":
                result += digits(
                    (1..<parts.month).reduce(parts.day) { $0 + CalendarDay.length(ofMonth: $1, year: parts.year) }, 3)
            case "a": result += Self.weekday(parts).prefix(3)
            case "A": result += Self.weekday(parts)
            case "H": result += digits(parts.hour, 2)
            case "I": result += digits((parts.hour + 11) % 12 + 1, 2)
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
        else { throw InvalidText("the format \(PrintableText.quoted(text)) has no room for its time") }
        return result
    }

    /// The format with what stands for several parts taken apart.
    private static func expanded(_ text: String) -> String {
        var result = ""
        var isDirective = false
        for letter in text {
            guard isDirective else {
                isDirective = letter == "%"
                result.append(letter)
                continue
            }
            isDirective = false
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
