/// The text of days: `YYYY-MM-DD`, in the years 0000 to 9999.
enum DayText {
    /// The range of years that a day can have.
    static let years = 0...9999
    /// The count of characters of a day.
    static let length = 10

    /// Parses the text of a day: `2003-06-17` or `20030617`.
    ///
    /// - Throws: ``InvalidText`` with the first broken rule.
    static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> CalendarDay {
        var index = 0
        do throws(InvalidText) {
            // A year with a sign, which dates may have, does not have four digits.
            guard bytes.count > 0, bytes[0] &- UInt8(ascii: "0") <= 9 else { throw notADay }
            let day = try DateText.parseDay(bytes, &index)
            guard index == bytes.count else { throw notADay }
            return day
        } catch {
            throw error == DateText.notADate ? notADay : error
        }
    }

    static var notADay: InvalidText { InvalidText("not a day (2003-06-17)") }

    /// Parses a day in the form `YYYY-MM-DD`; returns `nil` for any other text.
    static func canonical(_ bytes: Span<UInt8>) -> CalendarDay? {
        guard bytes.count == length else { return nil }
        do throws(InvalidText) { return try parse(bytes) } catch { return nil }
    }

    static func write(_ day: CalendarDay, to buffer: inout ByteBuffer) {
        buffer.write(atMost: length) { start in
            IntegerText.put(UInt64(day.year), digits: 4, at: start)
            start[4] = UInt8(ascii: "-")
            IntegerText.put(UInt64(day.month), digits: 2, at: start + 5)
            start[7] = UInt8(ascii: "-")
            IntegerText.put(UInt64(day.day), digits: 2, at: start + 8)
            return length
        }
    }
}
