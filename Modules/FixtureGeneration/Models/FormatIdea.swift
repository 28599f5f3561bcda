import StrataCore

/// What texts of a named format are made of, whatever the attribute is called.
enum FormatIdea {
    private static let day = "(199\\d|20[01]\\d)-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])"
    private static let time = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d"

    /// How texts of a format are made; none for what is no format.
    static func generators(ofDomain name: String?) -> [FixtureGenerator] {
        switch name.flatMap(TextFormat.init) {
        case .localDateTime: [.pattern("\(day)T\(time)")]
        case .offsetDateTime: [.pattern("\(day)T\(time)(Z|\\+02:00)")]
        case .dateTime: [.pattern("\(day)T\(time)Z")]
        case .year: [.pattern("(19[5-9]\\d|20[01]\\d)"), .pattern("[1-9]\\d{3}")]
        case .yearMonth: [.pattern("(199\\d|20[01]\\d)-(0[1-9]|1[0-2])"), .pattern("[1-9]\\d{3}-(0[1-9]|1[0-2])")]
        case .duration: [.pattern("P[1-9]DT([1-9]|1\\d)H"), .pattern("PT[1-9]\\d{0,8}S")]
        case .email: [.kind(.email), .pattern("[a-z]{4,9}\\d{6}@example\\.(com|net|org)")]
        case .uri: [.pattern("https://example\\.(com|net|org)/[a-z]{4,10}")]
        case .bigInteger: [.pattern("[1-9]\\d{2,5}"), .pattern("[1-9]\\d{11}")]
        case .number: [.pattern("[1-9]\\d{0,3}\\.\\d{2}"), .pattern("[1-9]\\d{8}\\.\\d{2}")]
        case .geopoint: [.pattern("[1-9]\\d\\.\\d{3}, [1-8]\\d\\.\\d{3}")]
        case .object: [.pattern("\\{\"[a-z]{3,6}\": [1-9]\\d?\\}"), .pattern("\\{\"[a-z]{4}\": [1-9]\\d{8}\\}")]
        case .array: [.pattern("\\[[1-9]\\d?, [1-9]\\d?\\]"), .pattern("\\[[1-9]\\d{8}\\]")]
        case nil: []
        }
    }
}
