import StrataCore

/// What texts of a named format are made of, whatever the attribute is called.
enum FormatIdea {
    private static let day = "(199\\d|20[01]\\d)-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])"
    private static let time = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d"
    private static let fraction = "\\.\\d{1,9}"

    /// How texts of a format are made: what a person would write, then ever more of them, then such as other lengths ask for; none for what is no
    /// format.
    static func generators(ofDomain name: String?) -> [FixtureGenerator] {
        name.flatMap(TextFormat.init).map { generators(of: $0) } ?? []
    }

    private static func generators(of format: TextFormat) -> [FixtureGenerator] {
        switch format {
        case .localDateTime: patterns("\(day)T\(time)", "\(day)T\(time)\(fraction)")
        case .offsetDateTime: patterns("\(day)T\(time)(Z|\\+02:00)", "\(day)T\(time)\(fraction)(Z|\\+02:00)")
        case .dateTime: patterns("\(day)T\(time)Z", "\(day)T\(time)", "\(day)T\(time)\(fraction)(Z|\\+02:00)?")
        case .year: patterns("(19[5-9]\\d|20[01]\\d)", "[1-9]\\d{3}", "[1-9]\\d{3,}")
        case .yearMonth:
            patterns(
                "(199\\d|20[01]\\d)-(0[1-9]|1[0-2])", "[1-9]\\d{3}-(0[1-9]|1[0-2])", "[1-9]\\d{3,}-(0[1-9]|1[0-2])")
        case .duration:
            patterns(
                "P[1-9]DT([1-9]|1\\d)H", "P[1-9]\\d?DT([1-9]|1\\d)H[1-5]\\dM", "PT[1-9]\\d{0,8}S", "P[1-9]\\d*D")
        case .email:
            // Hosts that are nobody's, and will be.
            [.kind(.email)]
                + patterns(
                    "[a-z]{4,9}\\d{6}@example\\.(com|net|org)", "[a-z]{4,}\\d{2}@example\\.(com|net|org)",
                    "[a-z]+@example\\.org", "[a-z]+@test")
        case .uri:
            patterns(
                "https://example\\.(com|net|org)/[a-z]{4,10}", "https://example\\.(com|net|org)/[a-z]{4,10}/\\d{4,}",
                "https://example\\.(com|net|org)/[a-z]+", "urn:[a-z]+", "[a-z]:[a-z]+")
        case .bigInteger: patterns("[1-9]\\d{2,5}", "[1-9]\\d{11}", "[1-9]\\d*")
        case .number:
            patterns("[1-9]\\d{0,3}\\.\\d{2}", "[1-9]\\d{8}\\.\\d{2}", "[1-9]\\d*\\.\\d{2}", "[1-9]\\d*")
        case .geopoint:
            patterns(
                "-?([1-9]|[1-9]\\d|1[0-7]\\d)\\.\\d{3}, -?[1-8]\\d\\.\\d{3}",
                "-?[1-9]\\d\\.\\d{4,}, -?[1-8]\\d\\.\\d{4,}", "-?[1-9]\\d?(\\.\\d+)?, -?[1-8]\\d?(\\.\\d+)?",
                "[1-9],[1-9]")
        }
    }

    private static func patterns(_ patterns: String...) -> [FixtureGenerator] { patterns.map { .pattern($0) } }
}
