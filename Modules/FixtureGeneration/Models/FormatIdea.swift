import StrataCore

/// Functions that return generators for texts of named formats, independent of the attribute's name.
enum FormatIdea {
    private static let day = "(199\\d|20[01]\\d)-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])"
    private static let time = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d"
    private static let fraction = "\\.\\d{1,9}"

    /// Returns generators for the format of an attribute.
    ///
    /// If the attribute's bounds contain whole years, the texts are within the bounds. Otherwise the result is that of
    /// ``generators(ofDomain:)``.
    static func generators(of attribute: AttributeDescription) -> [FixtureGenerator] {
        var usual = generators(ofDomain: attribute.domain?.name)
        if let format = attribute.domain?.format, [.year, .bigInteger, .number].contains(format),
            let digits = digits(attribute.rules)
        {
            // One digit more than the minimum value.
            usual += patterns("[1-9]\\d{\(digits)}")
        }
        guard let format = attribute.domain?.format,
            [.localDateTime, .offsetDateTime, .dateTime, .year, .yearMonth].contains(format),
            let years = years(attribute.rules)
        else { return usual }
        let within = "(\(years.map { "\($0)" }.joined(separator: "|")))"
        let day = "\(within)-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])"
        switch format {
        case .localDateTime: return patterns("\(day)T\(time)", "\(day)T\(time)\(fraction)") + usual
        case .offsetDateTime, .dateTime: return patterns("\(day)T\(time)Z", "\(day)T\(time)\(fraction)Z") + usual
        case .year: return patterns(within) + usual
        case .yearMonth: return patterns("\(within)-(0[1-9]|1[0-2])") + usual
        default: return usual
        }
    }

    /// Returns the number of digits of the minimum value in rules, or `nil` if it is missing, very long or not numeric.
    private static func digits(_ rules: [AttributeRule]) -> Int? {
        let counts = rules.compactMap { rule -> Int? in
            switch rule {
            case .minimum(.string(let text)), .greaterThan(.string(let text)):
                text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text.utf8.count : nil
            default: nil
            }
        }
        return counts.max().flatMap { (1...60).contains($0) ? $0 : nil }
    }

    /// Returns some four-digit years that are completely between the bounds in rules, or `nil` if there are none.
    private static func years(_ rules: [AttributeRule]) -> ClosedRange<Int>? {
        func year(_ value: StoredValue) -> Int? {
            guard case .string(let text) = value else { return nil }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            return digits.count == 4 ? Int(digits) : nil
        }
        var (least, greatest): (Int?, Int?) = (nil, nil)
        for rule in rules {
            switch rule {
            case .minimum(let value), .greaterThan(let value): least = [least, year(value)].compactMap { $0 }.max()
            case .maximum(let value), .lessThan(let value): greatest = [greatest, year(value)].compactMap { $0 }.min()
            default: break
            }
        }
        guard least != nil || greatest != nil else { return nil }
        let first = least.map { $0 + 2 } ?? max(1_000, (greatest ?? 0) - 21)
        let last = greatest.map { $0 - 2 } ?? first + 19
        // A time zone changes an instant by hours, so that one year on both sides is a sufficient margin.
        guard first <= last, 1_000...9_990 ~= first else { return nil }
        return first...min(last, first + 19, 9_990)
    }

    /// Returns generators for a format: first of realistic texts, then of larger sets of texts, then of texts of other
    /// lengths.
    ///
    /// The result is empty if the name is not that of a known format.
    static func generators(ofDomain name: String?) -> [FixtureGenerator] {
        name.flatMap(TextFormat.init).map { generators(of: $0) } ?? []
    }

    private static func generators(of format: TextFormat) -> [FixtureGenerator] {
        switch format {
        case .localDateTime: patterns("\(day)T\(time)", "\(day)T\(time)\(fraction)")
        case .offsetDateTime: patterns("\(day)T\(time)(Z|\\+02:00)", "\(day)T\(time)\(fraction)(Z|\\+02:00)")
        case .dateTime: patterns("\(day)T\(time)Z", "\(day)T\(time)", "\(day)T\(time)\(fraction)(Z|\\+02:00)")
        case .year: patterns("(19[5-9]\\d|20[01]\\d)", "[1-9]\\d{3}", "[1-9]\\d{3,}")
        case .yearMonth:
            patterns(
                "(199\\d|20[01]\\d)-(0[1-9]|1[0-2])", "[1-9]\\d{3}-(0[1-9]|1[0-2])", "[1-9]\\d{3,}-(0[1-9]|1[0-2])")
        case .duration:
            patterns(
                "P[1-9]DT([1-9]|1\\d)H", "P[1-9]\\d?DT([1-9]|1\\d)H[1-5]\\dM", "PT[1-9]\\d{0,8}S", "P[1-9]\\d*D")
        case .email:
            // These hosts are reserved and do not belong to real users.
            [.kind(.email)]
                + patterns(
                    "[a-z]{4,9}\\d{6}@example\\.(com|net|org)", "[a-z]{4,}\\d{2}@example\\.(com|net|org)",
                    "[a-z]+@example\\.org", "[a-z]+@test")
        case .uri:
            patterns(
                "https://example\\.(com|net|org)/[a-z]{4,10}", "https://example\\.(com|net|org)/[a-z]{4,10}/\\d{4,}",
                "https://example\\.(com|net|org)/[a-z]+", "urn:[a-z]+", "[a-z]:[a-z]+")
        case .uuid:
            [.kind(.uuid)] + patterns("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
        case .base64:
            patterns(
                "([A-Za-z0-9+/]{4}){2,6}", "([A-Za-z0-9+/]{4}){8}", "([A-Za-z0-9+/]{4})+", "[A-Za-z0-9+/]{3}=")
        case .bigInteger: patterns("[1-9]\\d{2,5}", "[1-9]\\d{11}", "[1-9]\\d*")
        case .number:
            patterns("[1-9]\\d{0,3}\\.\\d{2}", "[1-9]\\d{8}\\.\\d{2}", "[1-9]\\d*\\.\\d{2}", "[1-9]\\d*")
        case .geopoint:
            patterns(
                "-?([1-9]|[1-9]\\d|1[0-7]\\d)\\.\\d{3}, -?[1-8]\\d\\.\\d{3}",
                "-?[1-9]\\d\\.\\d{4,}, -?[1-8]\\d\\.\\d{4,}", "-?[1-9]\\d?(\\.\\d+)?, -?[1-8]\\d?(\\.\\d+)?",
                "[1-9],[1-9]")
        case .object:
            patterns(
                "\\{\"[a-z]{3,6}\": [1-9]\\d?\\}", "\\{\"[a-z]{4}\": [1-9]\\d{8}\\}", "\\{\"[a-z]+\":[1-9]\\d*\\}")
        case .array:
            patterns("\\[[1-9]\\d?, [1-9]\\d?\\]", "\\[[1-9]\\d{8}\\]", "\\[[1-9]\\d*\\]")
        case .json:
            patterns("\"[a-z]{3,8}\"", "\\{\"[a-z]{4}\": [1-9]\\d{8}\\}", "[1-9]\\d*")
        }
    }

    private static func patterns(_ patterns: String...) -> [FixtureGenerator] { patterns.map { .pattern($0) } }
}
