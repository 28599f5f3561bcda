import StrataCore

/// A date format with `strptime` directives, for dates that differ from ISO 8601: `%d.%m.%Y %H:%M`.
///
/// | directive | meaning |
/// |---|---|
/// | `%Y` `%y` | a year with four digits; with two, where 69 to 99 are 1969 to 1999 and the others 2000 to 2068 |
/// | `%m` `%b` `%B` `%h` | a month as one or two digits; as its English name, short or long, in any case |
/// | `%d` `%e` `%j` | a day of the month, as one or two digits; of the year, as one to three |
/// | `%a` `%A` | an English weekday, short or long, which must match the date |
/// | `%H` `%I` `%p` | an hour from 0 to 23; from 1 to 12, with AM or PM |
/// | `%M` `%S` `%f` | a minute; a second; one to nine digits of a second, after a point or any other text |
/// | `%z` | an offset from UTC: `Z`, `+02`, `+0200`, `+02:00`; without it a date is in UTC |
/// | `%-d` `%-m` `%-H` `%-I` | the same as without the minus sign, but written without a leading zero |
/// | `%F` `%T` `%D` `%R` | `%Y-%m-%d`, `%H:%M:%S`, `%m/%d/%y`, `%H:%M` |
/// | `%%` | a percent sign |
///
/// A space matches one or more spaces or tabs; any other character matches itself. `%c`, `%x` and `%X` depend on a
/// locale and are rejected. `%Z` is rejected too, because the name of a zone does not determine its offset from UTC.
///
/// A format has a whole day, with or without a time, or only a time of day. The calendar is Gregorian. A text that does
/// not match is an error.
///
/// No text can be read in two ways. Therefore a number that is adjacent to another number or digit must have all of its
/// digits: `%Y%m%d` reads `20200111`, but not `2020111`, which could be January or November. If `%f` directly follows
/// `%S`, only the second needs all digits. If a number follows `%f`, the fraction needs nine digits. If a number
/// follows `%z`, the offset needs its minutes.
///
/// ```swift
/// let format = try DatePattern("%d.%m.%Y %H:%M")
/// var reading = ReadingOptions(format: .csv)
/// reading.columnSpellings["created"] = ValueSpelling(dateFormat: format)
/// ```
///
/// An export writes a format in the same way: names of months and weekdays in English, numbers with leading zeros, and
/// `Z` for `%z`. It fails if the format lacks a part of the value that is not zero, such as the seconds.
///
/// ## Topics
///
/// ### Creating a format
///
/// - ``init(_:)``
///
/// ### Inspecting a format
///
/// - ``text``
/// - ``hasDay``
/// - ``hasTime``
/// - ``hasZone``
/// - ``description``
public struct DatePattern: Sendable, Hashable, CustomStringConvertible {
    /// The format as the user wrote it.
    public let text: String

    /// The fields and literal texts of the format, in order.
    let items: [Item]

    /// A Boolean value that indicates whether the format contains a day, as dates and days require, but not times of
    /// day.
    ///
    /// If it is `false`, the format is one for times of day.
    public let hasDay: Bool

    /// A Boolean value that indicates whether the format contains an hour.
    ///
    /// If it is `false`, a date is the midnight of its day in UTC.
    public let hasTime: Bool

    /// A Boolean value that indicates whether the format contains an offset from UTC.
    ///
    /// Days cannot have such a format, because the offset could change the day.
    public let hasZone: Bool

    /// One element of a date pattern: a field such as the year, or literal text.
    ///
    /// Consecutive spaces are one item.
    enum Item: Sendable, Hashable {
        case literal(UInt8)
        case space
        /// A part of a date; `isFull` indicates that it needs all of its digits, because another number is adjacent.
        case field(Field, isFull: Bool = false)

        /// A Boolean value that indicates whether the item may begin, or end, with a digit.
        var isNumber: Bool {
            switch self {
            case .literal(let byte): byte &- UInt8(ascii: "0") <= 9
            case .space, .field(.monthName, _), .field(.weekday, _), .field(.half, _), .field(.zone, _): false
            case .field: true
            }
        }
    }

    /// The parts of a date.
    enum Field: Sendable, Hashable {
        case year, shortYear, month, monthName, day, dayOfYear, weekday
        case hour, shortHour, half, minute, second, fraction, zone
    }

    /// Creates a format.
    ///
    /// The initializer validates the whole format, so that texts can only fail by their content. A format needs a year,
    /// a month and a day (or a day of the year), or an hour, or both. A smaller unit needs the larger one: a second
    /// needs a minute, and a fraction needs a second.
    ///
    /// - Parameter text: The format, in which each part occurs at most once.
    /// - Throws: ``InterchangeError/Code/unsupported`` with the unknown directive, or the missing or repeated part.
    /// - Complexity: O(*n*) in the text. Create a format once, not for each value.
    public init(_ text: String) throws(InterchangeError) {
        self.text = text
        do throws(InvalidText) {
            items = Self.separated(try Self.items(text))
            if text.contains("%-"), items.contains(where: { if case .field(_, true) = $0 { true } else { false } }) {
                throw InvalidText("is not a valid date format: adjacent numbers require leading zeros")
            }
            let fields = items.compactMap { if case .field(let field, _) = $0 { field } else { nil } }
            try Self.check(fields)
            hasDay = fields.contains(.year) || fields.contains(.shortYear)
            hasTime = fields.contains(.hour) || fields.contains(.shortHour)
            hasZone = fields.contains(.zone)
        } catch {
            throw InterchangeError(.unsupported, message: "\(PrintableText.quoted(text)) \(error.reason)")
        }
    }

    /// The text of the format.
    public var description: String { text }
}

// MARK: - Reading the format itself

extension DatePattern {
    private static func items(_ text: String) throws(InvalidText) -> [Item] {
        var items: [Item] = []
        var isLetter = false
        var isUnpadded = false
        for scalar in text.unicodeScalars {
            if isLetter, scalar == "-", !isUnpadded {
                isUnpadded = true
            } else if isLetter {
                guard !isUnpadded || ["d", "m", "H", "I"].contains(scalar) else {
                    throw InvalidText("is not a valid date format: %- can precede only d, m, H and I")
                }
                (isLetter, isUnpadded) = (false, false)
                items += try self.items(behindPercent: scalar)
            } else if scalar == "%" {
                isLetter = true
            } else if scalar == " " || scalar == "\t" {
                if items.last != .space { items.append(.space) }
            } else {
                items += scalar.utf8.map { .literal($0) }
            }
        }
        guard !isLetter else {
            throw InvalidText("is not a valid date format: it ends with an incomplete %; write %% for a percent sign")
        }
        return items
    }

    private static func items(behindPercent letter: Unicode.Scalar) throws(InvalidText) -> [Item] {
        switch letter {
        case "Y": [.field(.year)]
        case "y": [.field(.shortYear)]
        case "m": [.field(.month)]
        case "b", "B", "h": [.field(.monthName)]
        case "d", "e": [.field(.day)]
        case "j": [.field(.dayOfYear)]
        case "a", "A": [.field(.weekday)]
        case "H": [.field(.hour)]
        case "I": [.field(.shortHour)]
        case "p": [.field(.half)]
        case "M": [.field(.minute)]
        case "S": [.field(.second)]
        case "f": [.field(.fraction)]
        case "z": [.field(.zone)]
        case "%": [.literal(UInt8(ascii: "%"))]
        case "F": [.field(.year), dash, .field(.month), dash, .field(.day)]
        case "T": [.field(.hour), colon, .field(.minute), colon, .field(.second)]
        case "R": [.field(.hour), colon, .field(.minute)]
        case "D": [.field(.month), slash, .field(.day), slash, .field(.shortYear)]
        case "c", "x", "X":
            throw InvalidText(
                "is not a valid date format: %\(letter) depends on the language; write the parts, as in %d.%m.%Y")
        case "Z":
            throw InvalidText(
                "is not a valid date format: %Z is the name of a zone, which does not state the offset from UTC; use "
                    + "%z for +0200")
        default:
            throw InvalidText(
                "is not a valid date format: %\(PrintableText.escaped(String(Character(letter)))) is unknown; the "
                    + "letters are %Y %y %m %b %B %d %e %j %a %A %H %I %p %M %S %f %z %F %T %D %R and %%")
        }
    }

    /// Returns the items with adjacent numbers marked to have all of their digits.
    ///
    /// A number needs all of its digits if the text before or after it may be a digit; otherwise texts could be read in
    /// two ways.
    private static func separated(_ items: [Item]) -> [Item] {
        items.indices.map { index in
            guard case .field(let field, _) = items[index] else { return items[index] }
            let isBefore = index + 1 < items.count && items[index + 1].isNumber
            let isBehind = index > 0 && items[index - 1].isNumber
            // The end of the number before them determines where these parts begin.
            let needsBegin = field != .fraction && field != .zone
            return .field(field, isFull: isBefore || isBehind && needsBegin)
        }
    }

    private static let dash = Item.literal(UInt8(ascii: "-"))
    private static let colon = Item.literal(UInt8(ascii: ":"))
    private static let slash = Item.literal(UInt8(ascii: "/"))

    /// Groups of parts of which a format has at most one, with their names.
    private static let kinds: [(name: String, fields: Set<Field>)] = [
        ("year", [.year, .shortYear]), ("month", [.month, .monthName]), ("day", [.day]),
        ("day of the year", [.dayOfYear]),
        ("weekday", [.weekday]), ("hour", [.hour, .shortHour]), ("AM or PM", [.half]), ("minute", [.minute]),
        ("second", [.second]), ("fraction of a second", [.fraction]), ("zone", [.zone]),
    ]

    /// Throws if a text of the format could be ambiguous or incomplete.
    private static func check(_ fields: [Field]) throws(InvalidText) {
        guard !fields.isEmpty else {
            throw InvalidText(
                "is not a valid date format: the format has no part of a date; write it in strptime's letters, as in "
                    + "%d.%m.%Y")
        }
        for kind in kinds where fields.count(where: { kind.fields.contains($0) }) > 1 {
            throw InvalidText("is not a valid date format: the format has the \(kind.name) twice")
        }
        func has(_ some: Field...) -> Bool { some.contains { fields.contains($0) } }
        func need(_ isPresent: Bool, _ what: String) throws(InvalidText) {
            guard isPresent else { throw InvalidText("is not a valid date format: \(what)") }
        }
        if has(.year, .shortYear, .month, .monthName, .day, .dayOfYear, .weekday, .zone) {
            try need(has(.year, .shortYear), "the format has no year (%Y or %y)")
            if has(.dayOfYear) {
                try need(
                    !has(.month, .monthName, .day),
                    "%j is the day of the year and cannot be combined with a month or a day of the month"
                )
            } else {
                try need(has(.month, .monthName), "the format has no month (%m or %b)")
                try need(has(.day), "the format has no day (%d)")
            }
        }
        if has(.hour, .shortHour, .half, .minute, .second, .fraction, .zone) {
            try need(
                has(.hour, .shortHour),
                has(.zone) ? "the format has a zone but no hour (%H)" : "the format has no hour (%H, or %I with %p)")
            try need(!has(.shortHour) || has(.half), "%I is an hour from 1 to 12 and requires %p")
            try need(!has(.half) || has(.shortHour), "%p requires %I instead of %H")
            try need(has(.minute) || !has(.second), "the format has a second but no minute (%M)")
            try need(has(.second) || !has(.fraction), "the format has a fraction but no second (%S)")
        }
    }
}
