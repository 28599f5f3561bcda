import StrataCore

/// A date format in `strptime`'s letters, for files whose dates are not those of ISO 8601: `%d.%m.%Y %H:%M`.
///
/// | letters | what they read |
/// |---|---|
/// | `%Y` `%y` | a year of four digits; of two, of which 69 to 99 are 1969 to 1999 and the others 2000 to 2068 |
/// | `%m` `%b` `%B` `%h` | a month as one or two digits; as its English name, short or long, in any case |
/// | `%d` `%e` `%j` | a day of the month, as one or two digits; of the year, as one to three |
/// | `%a` `%A` | an English weekday, short or long, which must be that of the date |
/// | `%H` `%I` `%p` | an hour from 0 to 23; from 1 to 12, with AM or PM |
/// | `%M` `%S` `%f` | a minute; a second; one to nine digits of a second, behind a point or whatever stands before them |
/// | `%z` | a distance from UTC: `Z`, `+02`, `+0200`, `+02:00`; without one a date is in UTC |
/// | `%-d` `%-m` `%-H` `%-I` | the same as without the sign; they are written without a leading zero |
/// | `%F` `%T` `%D` `%R` | `%Y-%m-%d`, `%H:%M:%S`, `%m/%d/%y`, `%H:%M` |
/// | `%%` | a percent sign |
///
/// A space stands for one or more spaces or tabs; everything else stands for itself. `%c`, `%x` and `%X` depend on a language's customs and
/// are refused, as is `%Z`: a zone's name does not say how far from UTC it is.
///
/// A format has a whole day, with or without a time, or a time of day alone. The calendar is the Gregorian one. What does not match is an error:
/// no text is read in two ways. So a number right beside another one, or beside a digit, has all of its digits: `%Y%m%d` reads `20200111`, and not
/// `2020111`, which may be January or November. Of a `%f` that is so behind `%S` only the second has; where a number follows it, it has nine digits,
/// and a `%z` then has its minutes.
public struct DatePattern: Sendable, Hashable, CustomStringConvertible {
    /// The format as it was given.
    public let text: String

    /// What stands in the texts, in this order.
    let items: [Item]

    /// Whether it has a day, which dates and days have, and times of day have not.
    public let hasDay: Bool

    /// Whether it has an hour.
    public let hasTime: Bool

    /// Whether it has a distance from UTC.
    public let hasZone: Bool

    /// One thing that stands in a text.
    enum Item: Sendable, Hashable {
        case literal(UInt8)
        case space
        /// A part; whether it has all of its digits, as it has where another number stands right beside it.
        case field(Field, isFull: Bool = false)

        /// Whether it may begin, or end, with a digit.
        var isNumber: Bool {
            switch self {
            case .literal(let byte): byte &- UInt8(ascii: "0") <= 9
            case .space, .field(.monthName, _), .field(.weekday, _), .field(.half, _), .field(.zone, _): false
            case .field: true
            }
        }
    }

    /// One part of a date.
    enum Field: Sendable, Hashable {
        case year, shortYear, month, monthName, day, dayOfYear, weekday
        case hour, shortHour, half, minute, second, fraction, zone
    }

    /// Takes a format.
    ///
    /// - Parameter text: The format, of which no two parts say the same.
    /// - Throws: ``InterchangeError/Code/unsupported`` with the letter that is unknown, or the part that is missing, or there twice.
    public init(_ text: String) throws(InterchangeError) {
        self.text = text
        do throws(InvalidText) {
            items = Self.separated(try Self.items(text))
            if text.contains("%-"), items.contains(where: { if case .field(_, true) = $0 { true } else { false } }) {
                throw InvalidText("is no date format: numbers side by side need their leading zeros")
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

    /// The format.
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
                    throw InvalidText("is no date format: %- stands before d, m, H and I only")
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
            throw InvalidText("is no date format: it ends with a % that stands for nothing; %% is a %")
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
                "is no date format: %\(letter) depends on a language's customs; write the parts, as in %d.%m.%Y")
        case "Z":
            throw InvalidText(
                "is no date format: %Z is a zone's name, which does not say how far from UTC it is; %z reads +0200")
        default:
            throw InvalidText(
                "is no date format: %\(PrintableText.escaped(String(Character(letter)))) is unknown; there are "
                    + "%Y %y %m %b %B %d %e %j %a %A %H %I %p %M %S %f %z %F %T %D %R and %%")
        }
    }

    /// The same where the numbers that stand side by side have all of their digits.
    private static func separated(_ items: [Item]) -> [Item] {
        items.indices.map { index in
            guard case .field(let field, _) = items[index] else { return items[index] }
            let isBefore = index + 1 < items.count && items[index + 1].isNumber
            let isBehind = index > 0 && items[index - 1].isNumber
            // What ends the number before them says where these begin.
            let needsBegin = field != .fraction && field != .zone
            return .field(field, isFull: isBefore || isBehind && needsBegin)
        }
    }

    private static let dash = Item.literal(UInt8(ascii: "-"))
    private static let colon = Item.literal(UInt8(ascii: ":"))
    private static let slash = Item.literal(UInt8(ascii: "/"))

    /// Parts of which a format has one at most, with what they are called.
    private static let kinds: [(name: String, fields: Set<Field>)] = [
        ("year", [.year, .shortYear]), ("month", [.month, .monthName]), ("day", [.day]),
        ("day of the year", [.dayOfYear]),
        ("weekday", [.weekday]), ("hour", [.hour, .shortHour]), ("AM or PM", [.half]), ("minute", [.minute]),
        ("second", [.second]), ("fraction of a second", [.fraction]), ("zone", [.zone]),
    ]

    /// Makes sure that every text of the format is one date, or one time of day.
    private static func check(_ fields: [Field]) throws(InvalidText) {
        guard !fields.isEmpty else {
            throw InvalidText(
                "is no date format: it has no part of a date; write it in strptime's letters, as in %d.%m.%Y")
        }
        for kind in kinds where fields.count(where: { kind.fields.contains($0) }) > 1 {
            throw InvalidText("is no date format: it has the \(kind.name) twice")
        }
        func has(_ some: Field...) -> Bool { some.contains { fields.contains($0) } }
        func need(_ isThere: Bool, _ what: String) throws(InvalidText) {
            guard isThere else { throw InvalidText("is no date format: \(what)") }
        }
        if has(.year, .shortYear, .month, .monthName, .day, .dayOfYear, .weekday, .zone) {
            try need(has(.year, .shortYear), "it has no year (%Y or %y)")
            if has(.dayOfYear) {
                try need(
                    !has(.month, .monthName, .day), "%j is the day of the year, and no month or day of one goes with it"
                )
            } else {
                try need(has(.month, .monthName), "it has no month (%m or %b)")
                try need(has(.day), "it has no day (%d)")
            }
        }
        if has(.hour, .shortHour, .half, .minute, .second, .fraction, .zone) {
            try need(
                has(.hour, .shortHour),
                has(.zone) ? "it has a zone and no hour (%H)" : "it has no hour (%H, or %I with %p)")
            try need(!has(.shortHour) || has(.half), "%I is an hour of half a day, and %p has to say which half")
            try need(!has(.half) || has(.shortHour), "%p goes with %I, not with %H")
            try need(has(.minute) || !has(.second), "it has a second and no minute (%M)")
            try need(has(.second) || !has(.fraction), "it has a fraction and no second (%S)")
        }
    }
}
