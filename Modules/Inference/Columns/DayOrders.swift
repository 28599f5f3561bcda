import StrataInterchange

/// The formats in which all texts of a column are days.
struct DayOrders: Sendable {
    /// Those that are looked for.
    ///
    /// A year of two digits does not say its century: it is told, and never taken.
    private static let formats = [
        "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d %b %Y", "%d-%b-%Y",
        "%b %d, %Y", "%B %d, %Y", "%d %B %Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%y-%m-%d", "%d-%b-%y",
    ]
    private static let patterns: [DatePattern] = formats.compactMap { format in
        // A format that there is not would be a mistake above, which a test finds.
        try? DatePattern(format)
    }
    private static let longest = 20

    private var isFresh = true
    private(set) var left: [DatePattern] = []

    static var count: Int { patterns.count }
    static var formatCount: Int { formats.count }

    /// The one format that all texts have, whose years are whole.
    var only: DatePattern? { left.count == 1 && !left[0].text.contains("y") ? left[0] : nil }

    /// Notes a text; false where no format is left.
    mutating func note(_ text: Span<UInt8>) -> Bool {
        guard text.count <= Self.longest, text.count >= 6 else {
            left = []
            isFresh = false
            return false
        }
        if isFresh {
            isFresh = false
            left = Self.patterns
        }
        left = left.filter { $0.writesDay(text) }
        return !left.isEmpty
    }
}
