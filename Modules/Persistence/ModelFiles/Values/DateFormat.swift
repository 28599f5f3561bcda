import StrataCore

/// A check that a `strptime` pattern is valid and contains all parts that a date type needs.
///
/// The code that reads and writes dates checks patterns in more detail, but this module cannot use it. This check
/// rejects the same patterns before any data is read.
///
/// The pattern of a day needs a full day and must not have a time. The pattern of a time of day needs an hour and a
/// minute, and must not have a day or a zone. The pattern of an instant needs a full day; it also needs an hour and a
/// minute if it contains any part of a time, or if the caller requires a time.
package struct DateFormat {
    /// A part of a date.
    private enum Part: String {
        case year, month, day, weekday
        case dayOfYear = "day of the year"
        case hour, minute, second, zone
        case half = "AM or PM"
        case fraction = "fraction of a second"
    }

    private var parts: Set<Part> = []
    /// A Boolean value that indicates whether the pattern contains the hour of a 12-hour clock.
    ///
    /// Such a pattern needs `%p`, and a pattern with `%p` needs such an hour.
    private var hasShortHour = false

    /// Returns the reason why a pattern cannot represent the values of a type.
    ///
    /// - Parameters:
    ///   - format: The pattern.
    ///   - type: The type of the values: a date with time, a day, or a time of day.
    ///   - needsTime: A Boolean value that indicates whether the pattern of a date with time must contain the time. If
    ///     the file declares the type by `strata:type`, the pattern may contain only the day.
    /// - Returns: The reason, or `nil` if the pattern is valid.
    static func refusal(of format: String, for type: AttributeType, needsTime: Bool) -> String? {
        do throws(InvalidText) {
            try Self(format).check(type, needsTime: needsTime)
            return nil
        } catch {
            return "“\(format)” \(error.reason)"
        }
    }

    /// Returns the properties of a descriptor's field that represent a date pattern.
    ///
    /// The property `format` of the Data Package standard has the letters of `strptime`, which also reads numbers
    /// without leading zeros, but lacks `%-d`. A pattern with `%-d` is therefore written twice: in `format` without the
    /// dash, and exactly in `strata:format`.
    package static func properties(of format: String) -> [(name: String, text: String)] {
        let standard = format.split(separator: "%-", omittingEmptySubsequences: false).joined(separator: "%")
        return standard == format ? [("format", format)] : [("format", standard), ("strata:format", format)]
    }

    /// Reads the letters of a pattern.
    ///
    /// - Throws: `InvalidText` if a letter is unknown, a part occurs twice, or the pattern ends with an incomplete
    ///   percent sign.
    private init(_ format: String) throws(InvalidText) {
        var isLetter = false
        var isUnpadded = false
        for scalar in format.unicodeScalars {
            if isLetter, scalar == "-", !isUnpadded {
                isUnpadded = true
            } else if isLetter {
                guard !isUnpadded || ["d", "m", "H", "I"].contains(scalar) else {
                    throw InvalidText("has %-\(scalar); %- can precede only d, m, H and I")
                }
                isUnpadded = false
                isLetter = false
                for part in try Self.parts(scalar) {
                    guard parts.insert(part).inserted else { throw InvalidText("has the \(part.rawValue) twice") }
                }
                hasShortHour = hasShortHour || scalar == "I"
            } else {
                isLetter = scalar == "%"
            }
        }
        guard !isLetter else { throw InvalidText("ends with an incomplete %; write %% for a percent sign") }
    }

    /// Returns the parts of a date that a letter after a percent sign represents.
    private static func parts(_ letter: Unicode.Scalar) throws(InvalidText) -> [Part] {
        switch letter {
        case "Y", "y": [.year]
        case "m", "b", "B", "h": [.month]
        case "d", "e": [.day]
        case "j": [.dayOfYear]
        case "a", "A": [.weekday]
        case "H", "I": [.hour]
        case "p": [.half]
        case "M": [.minute]
        case "S": [.second]
        case "f": [.fraction]
        case "z": [.zone]
        case "F", "D": [.year, .month, .day]
        case "T": [.hour, .minute, .second]
        case "R": [.hour, .minute]
        case "%": []
        default:
            throw InvalidText(
                "has the letter %\(letter), which is not supported; the letters are %Y %y %m %b %B %h %d %e %j %a %A "
                    + "%H %I %p %M %S %f %z %F %T %D %R and %%")
        }
    }

    /// Throws an error if the pattern lacks a part that the type needs, or has a part that the type does not allow.
    private func check(_ type: AttributeType, needsTime: Bool) throws(InvalidText) {
        func need(_ isPresent: Bool, _ what: String) throws(InvalidText) {
            guard isPresent else { throw InvalidText(what) }
        }
        let hasTime = !parts.isDisjoint(with: [.hour, .half, .minute, .second, .fraction, .zone])
        if type == .timeOfDay {
            try need(
                parts.isDisjoint(with: [.year, .month, .day, .dayOfYear, .weekday]),
                "has a day, but a time must not have one")
            try need(!parts.contains(.zone), "has a zone, but a time of day must not have one")
        } else {
            try need(
                parts.isSuperset(of: [.year, .month, .day]) || parts.isSuperset(of: [.year, .dayOfYear]),
                "has no full day: a year, a month and a day, or a year and %j")
            try need(
                !parts.contains(.dayOfYear) || parts.isDisjoint(with: [.month, .day]),
                "has %j, which cannot be combined with a month and a day")
        }
        if type == .day { return try need(!hasTime, "has a time of day, but a date must not have one") }
        guard hasTime || needsTime || type == .timeOfDay else { return }
        try need(parts.contains(.hour), "has no hour (%H, or %I with %p)")
        try need(parts.contains(.minute), "has no minute (%M)")
        try need(hasShortHour == parts.contains(.half), "has only one of %I and %p; use both or none")
        try need(parts.contains(.second) || !parts.contains(.fraction), "has a fraction of a second but no second (%S)")
    }
}
