import Foundation

/// A moment that the system's calendar divides into components.
struct Moment {
    /// Seconds since 1970 in UTC, and the offset of the zone in which the moment is written.
    let seconds: Int
    let offset: Int
    /// Digits of a fraction of a second, with trailing zeros.
    let fraction: String

    /// Returns the moment in its zone in a format of C.
    func formatted(_ pattern: String) -> String {
        var time = time_t(seconds + offset)
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 200)
        let length = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the zone, with or without a colon.
    func zone(colon: String) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (offset < 0 ? "-" : "+") + two(abs(offset) / 3600) + colon + two(abs(offset) / 60 % 60)
    }

    /// The exported text: in UTC, without trailing zeros.
    var written: String {
        let utc = Moment(seconds: seconds, offset: 0, fraction: "").formatted("%Y-%m-%dT%H:%M:%S")
        return utc + significant + "Z"
    }

    var significant: String {
        let digits = fraction.reversed().drop { $0 == "0" }.reversed()
        return digits.isEmpty ? "" : "." + String(digits)
    }

    /// A Boolean value that indicates whether a `Date` surely represents all digits at this distance from its
    /// reference.
    var isHeldSurely: Bool {
        let digits = max(0, significant.count - 1)
        // There are 978,307,200 seconds between 1970 and 2001.
        return digits == 0 || pow(10, -Double(digits)) > 2 * Double(seconds - 978_307_200).ulp
    }

    var outcome: GeneratedSpelling.Outcome { isHeldSurely ? .stored(written) : .storedOrRefused(written) }
}

extension SpellingGenerator {
    /// A date format and the properties of its output in C, which writes leading zeros and names.
    struct DateSpelling: Sendable {
        let pattern: String
        var hasTime = false
        var hasSeconds = false
        var hasFraction = false
        /// The separator between hours and minutes of a zone, or `nil` without a zone.
        var zoneColon: String?
        var hasShortYear = false
    }

    static let dateSpellings: [DateSpelling] = [
        DateSpelling(pattern: "%d.%m.%Y"), DateSpelling(pattern: "%m/%d/%y", hasShortYear: true),
        DateSpelling(pattern: "%Y%m%d"),
        DateSpelling(pattern: "%b %d %Y"), DateSpelling(pattern: "%A, %B %d, %Y"), DateSpelling(pattern: "%Y-%j"),
        DateSpelling(pattern: "%y%j", hasShortYear: true), DateSpelling(pattern: "%F %R", hasTime: true),
        DateSpelling(pattern: "%d/%m/%Y %I:%M:%S %p", hasTime: true, hasSeconds: true),
        DateSpelling(pattern: "%a, %d %h %Y %T %z", hasTime: true, hasSeconds: true, zoneColon: ""),
        DateSpelling(
            pattern: "%D at %H.%M.%S.%f%z", hasTime: true, hasSeconds: true, hasFraction: true, zoneColon: ":",
            hasShortYear: true),
        DateSpelling(pattern: "%Y/%m/%d %T,%f", hasTime: true, hasSeconds: true, hasFraction: true),
    ]

    mutating func moment(of spelling: DateSpelling) -> Moment {
        // The years 1000 to 9999, which C writes with four digits, or the years that two digits represent.
        var seconds =
            spelling.hasShortYear ? number(-31_536_000...3_124_223_999) : number(-30_610_224_000...253_402_300_799)
        if chance(2) { seconds = number(0...2_000_000_000) }
        seconds -= seconds % (spelling.hasSeconds ? 1 : spelling.hasTime ? 60 : 86_400)
        let hasZone = spelling.zoneColon != nil
        // A margin of one day keeps the zone's year within the range.
        if hasZone { seconds = min(max(seconds, spelling.hasShortYear ? -31_449_600 : -30_610_137_600), 3_124_137_599) }
        let offset = hasZone ? number(-23...23) * 3600 + pick([0, 1800, 2700]) * (chance(2) ? 1 : 0) : 0
        let fraction = spelling.hasFraction ? (0..<number(1...9)).map { _ in "\(number(0...9))" }.joined() : ""
        return Moment(seconds: seconds, offset: offset, fraction: fraction)
    }

    /// Returns a date in a format.
    mutating func date(_ spelling: DateSpelling) -> GeneratedSpelling {
        if chance(8) {
            return .refused(
                pick([
                    "", "2003-13-45", "32.13.2003", "never", "99/99/99", "2003-01-02T", "Smarch 13 2003", "0",
                    "2000-366-1",
                ]))
        }
        let moment = moment(of: spelling)
        let zone = spelling.zoneColon.map { moment.zone(colon: $0) } ?? ""
        let pattern = spelling.pattern.replacing("%z", with: zone).replacing("%f", with: moment.fraction)
        var text = moment.formatted(pattern)
        if !spelling.pattern.contains("%Y%m%d"), !spelling.pattern.contains("%j"), !spelling.hasShortYear, chance(3) {
            // Leading zeros of days and months may be omitted.
            text = text.replacing("/0", with: "/").replacing(".0", with: spelling.hasFraction ? ".0" : ".")
            if text.hasPrefix("0"), !spelling.hasFraction { text.removeFirst() }
        }
        if spelling.pattern.contains("%b") || spelling.pattern.contains("%p"), chance(3) { text = text.uppercased() }
        return GeneratedSpelling(text: text, outcome: moment.outcome)
    }

    /// Returns a date of ISO 8601.
    mutating func isoDate() -> GeneratedSpelling {
        if chance(8) {
            return .refused(
                pick([
                    "", "2003-02-30", "2003-06-17T24:01", "2003-06-17T10", "2003-6-17", "17.06.2003",
                    "2003-06-17 10:11:60", "2003-06-17T10:11:12+24:00",
                    "+2003-06-17", "2003-06-17T10:11:12.1234567890Z", "2003-W10-1", "2003-06-17T10:11:12 Zulu", "now",
                ]))
        }
        let spelling = DateSpelling(
            pattern: "", hasTime: true, hasSeconds: true, hasFraction: chance(2), zoneColon: ":")
        let moment = moment(of: spelling)
        let day = pick(["%Y-%m-%d", "%Y%m%d"])
        let time = pick(["%H:%M:%S", "%H%M%S"])
        let fraction = moment.fraction.isEmpty ? "" : pick([".", ","]) + moment.fraction
        let zone =
            moment.offset == 0
            ? pick(["Z", "z", "", "+00", " +0000"]) : pick(["", " "]) + moment.zone(colon: pick([":", ""]))
        return GeneratedSpelling(
            text: moment.formatted("\(day)\(pick(["T", "t", " "]))\(time)") + fraction + zone, outcome: moment.outcome)
    }

    /// Returns a day, in a format or of ISO 8601.
    mutating func day(_ spelling: DateSpelling?) -> GeneratedSpelling {
        if chance(8) {
            return .refused(
                pick(["", "2003-02-29", "29.02.2003", "2003-00-01", "20030632", "2003-06-17T00:00:00Z", "13/13/13"]))
        }
        let moment = moment(of: spelling ?? DateSpelling(pattern: ""))
        let pattern = spelling?.pattern ?? pick(["%Y-%m-%d", "%Y%m%d"])
        return .stored(moment.formatted(pattern), as: moment.formatted("%Y-%m-%d"))
    }

    /// Returns a time of day, in a format or of ISO 8601.
    mutating func time(_ pattern: String?) -> GeneratedSpelling {
        if chance(8) {
            return .refused(
                pick(["", "24:00", "08:60", "8", "8:3:", "13:00 PM", "08:30:60", "08:30:00Z", "noon", "0:00 AM"]))
        }
        let isWhole = pattern?.contains("%S") == false || chance(3)
        let fraction =
            isWhole || pattern?.contains("%f") == false
            ? "" : (0..<number(1...9)).map { _ in "\(number(0...9))" }.joined()
        var seconds = number(0...86_399)
        if isWhole { seconds -= seconds % 60 }
        let moment = Moment(seconds: seconds, offset: 0, fraction: fraction)
        let written = moment.formatted("%H:%M:%S") + moment.significant
        if let pattern {
            return .stored(
                moment.formatted(pattern.replacing("%f", with: fraction.isEmpty ? "0" : fraction)), as: written)
        }
        if isWhole, chance(2) { return .stored(moment.formatted(pick(["%H:%M", "%H%M"])), as: written) }
        let point = fraction.isEmpty ? "" : pick([".", ","]) + fraction
        return .stored(moment.formatted(pick(["%H:%M:%S", "%H%M%S"])) + point, as: written)
    }
}
