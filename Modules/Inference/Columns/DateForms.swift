import StrataInterchange

/// A count, for each date format, of the cells of a column that match the format.
///
/// A format that most cells match is counted to the end of the data, so that a report can name the cells that do not
/// match.
///
/// A column can have a format only if no other format reads its cells as different dates. For example, `02/01/2014`
/// matches two formats, so a column of such cells needs a cell such as `15/01/2014`, or the user's decision.
///
/// Columns without dates are the usual case. Therefore a format is dropped after a few mismatching cells, and texts
/// without digits or with an unusual length are compared only with the user's formats.
struct DateForms: Sendable {
    /// A date format and the cells of the column that do not match it.
    struct Candidate: Sendable {
        let pattern: DatePattern
        let kind: CellKind
        /// A Boolean value that indicates whether the user specified the format.
        let isSaid: Bool
        /// A Boolean value that indicates whether each cell must equal the text that the format writes for it.
        let isExact: Bool
        fileprivate(set) var misses = 0
        /// The first cell of the column that does not match the format.
        fileprivate(set) var witness: KindScan.Witness?

        fileprivate init(_ pattern: DatePattern, isSaid: Bool = false, isExact: Bool = true) {
            self.pattern = pattern
            self.isSaid = isSaid
            self.isExact = isExact
            kind = !pattern.hasDay ? .spelledTime : pattern.hasTime ? .spelledDate : .spelledDay
        }

        fileprivate func matches(_ text: Span<UInt8>) -> Bool {
            switch kind {
            case .spelledDay: pattern.writesDay(text, orReads: !isExact)
            case .spelledDate: pattern.writesInstant(text, orReads: !isExact)
            default: pattern.writesTime(text, orReads: !isExact)
            }
        }
    }

    /// The formats of days with leading zeros; for each one, variants with `%-d` and `%-m` are added.
    private static let days = [
        "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d %b %Y", "%d-%b-%Y",
        "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%a, %d %b %Y", "%A, %B %d, %Y", "%d.%m.%y",
        "%d/%m/%y", "%m/%d/%y", "%y-%m-%d", "%d-%b-%y",
    ]
    /// The formats of times that may follow a day and a space.
    private static let times = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p"]
    /// The formats of days that may precede a time.
    private static let daysOfTimes = [
        "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%b-%Y", "%d %b %Y",
    ]

    /// The formats that are tried for the cells of a column.
    ///
    /// A year of two digits does not determine the century. A format with such a year is therefore reported, but used
    /// only if the user specified it.
    static let formats: [String] = {
        let instants =
            daysOfTimes.flatMap { day in times.map { "\(day) \($0)" } }
            + ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S.%f"]
        return (days + instants).flatMap { format in
            let others = format.hasPrefix("%Y-") ? [] : [unpadded(format, "dm"), unpadded(format)]
            return others.reduce(into: [format]) { if !$0.contains($1) { $0.append($1) } }
        }
    }()
    /// The formats that are tried for each column, as counts without cells.
    private static let usual: [Candidate] = formats.compactMap { format in
        // A test detects an invalid format.
        (try? DatePattern(format)).map { Candidate($0) }
    }
    /// The lengths in bytes of the texts that are compared with the formats.
    private static let lengths = 6...40
    /// The maximum excess of mismatching over matching cells; if there is a greater excess, a format is no longer
    /// counted.
    private static let patience = 8

    /// The counts for the user's formats, without cells.
    private let said: [Candidate]
    private var count = 0
    /// The formats that are still counted; empty before the first cell.
    private var candidates: [Candidate] = []

    /// Creates counts for the formats that are tried and for the user's formats.
    ///
    /// - Parameter patterns: The formats that the user specified for the column.
    init(said patterns: [DatePattern]) {
        said = patterns.flatMap { pattern in
            // Exact formats come first, so that an export writes the texts of the file. Adjacent numbers need leading
            // zeros, so such a format has no variant without them.
            let other = try? DatePattern(Self.unpadded(pattern.text))
            return [Candidate(pattern, isSaid: true)]
                + (other.map { $0 == pattern ? [] : [Candidate($0, isSaid: true)] } ?? [])
                + [Candidate(pattern, isSaid: true, isExact: false)]
        }
    }

    /// The count of the formats that are tried, for tests.
    static var patternCount: Int { usual.count }

    /// Returns a format with `%-d`, `%-m` and similar directives, which write numbers without leading zeros.
    private static func unpadded(_ format: String, _ letters: String = "dmIH") -> String {
        letters.reduce(format) { text, letter in
            text.split(separator: "%\(letter)", omittingEmptySubsequences: false).joined(separator: "%-\(letter)")
        }
    }

    /// Returns a text that is equal for two formats that read texts as the same dates, ignoring leading zeros and the
    /// length of month names.
    private static func reading(_ pattern: DatePattern) -> String {
        var text = ""
        for letter in pattern.text where letter != "-" || text.last != "%" { text.append(letter == "B" ? "b" : letter) }
        return text
    }

    /// The formats that all cells match; the formats that the user specified are first.
    var left: [Candidate] { candidates.filter { $0.misses == 0 } }

    /// The format that all cells match; `nil` if there is none, or if several such formats read the cells as different
    /// dates.
    var only: Candidate? {
        let left = left
        if let said = left.first(where: \.isSaid) { return said }
        guard let first = left.first, !first.pattern.text.contains("y") else { return nil }
        return left.allSatisfy { Self.reading($0.pattern) == Self.reading(first.pattern) } ? first : nil
    }

    /// Descriptions of the formats that all cells match, one description for each different reading of the cells.
    var readings: [String] {
        var texts: [String] = []
        for candidate in left {
            let text = Self.reading(candidate.pattern)
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    /// The format that most cells match, but not all; `nil` if no format matches more than half of the cells.
    var nearest: Candidate? {
        candidates.filter { $0.misses > 0 && $0.misses * 2 < count }.min { $0.misses < $1.misses }
    }

    /// Counts a cell for each format that it matches.
    ///
    /// - Returns: The kinds of the formats that the cell matches.
    mutating func note(_ text: Span<UInt8>, line: Int) -> CellKinds {
        count += 1
        if count == 1 { candidates = said + Self.usual }
        var found = CellKinds([])
        guard !candidates.isEmpty else { return found }
        let mayBeDate = Self.lengths.contains(text.count) && Self.hasDigit(text)
        var isAnyDropped = false
        for place in candidates.indices {
            if mayBeDate || candidates[place].isSaid, candidates[place].matches(text) {
                found.insert(candidates[place].kind)
                continue
            }
            candidates[place].misses += 1
            if candidates[place].witness == nil {
                candidates[place].witness = KindScan.Witness(line: line, text: KindScan.beginning(text))
            }
            isAnyDropped = isAnyDropped || isHopeless(candidates[place])
        }
        if isAnyDropped { candidates.removeAll(where: isHopeless) }
        // Most columns have no dates and need no memory for formats.
        if candidates.isEmpty { candidates = [] }
        return found
    }

    /// Counts a cell that is not a text in its document and therefore matches no format.
    mutating func noteOther(_ text: Span<UInt8>, line: Int) {
        count += 1
        if count == 1 { candidates = said + Self.usual }
        for place in candidates.indices {
            candidates[place].misses += 1
            if candidates[place].witness == nil {
                candidates[place].witness = KindScan.Witness(line: line, text: KindScan.beginning(text))
            }
        }
        candidates.removeAll(where: isHopeless)
    }

    /// Returns a Boolean value that indicates whether a format has so many mismatching cells that it is no longer
    /// counted.
    private func isHopeless(_ candidate: Candidate) -> Bool { candidate.misses * 2 > count + Self.patience }

    private static func hasDigit(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] &- 0x30 <= 9 { return true }
        return false
    }
}
