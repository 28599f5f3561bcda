import StrataInterchange

/// Counts in which formats the cells of a column are days, dates and times.
///
/// A format that most cells have is counted to the end, so that a report can name the cells that prevent it.
struct DateForms: Sendable {
    /// One format and the cells that do not have it.
    struct Candidate: Sendable {
        let pattern: DatePattern
        let kind: CellKind
        /// A Boolean value that indicates whether the user gave the format.
        let isSaid: Bool
        /// A Boolean value that indicates whether each cell must be what the format writes, and not only what it reads.
        let isExact: Bool
        fileprivate(set) var misses = 0
        /// The first cell that is not of the format.
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

    /// Days, with a leading zero; `%-d` and `%-m` are added for each that has them.
    private static let days = [
        "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d %b %Y", "%d-%b-%Y",
        "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%a, %d %b %Y", "%A, %B %d, %Y", "%d.%m.%y",
        "%d/%m/%y", "%m/%d/%y", "%y-%m-%d", "%d-%b-%y",
    ]
    /// Times of day that stand behind a day and a space.
    private static let times = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p"]
    /// Days before a time.
    private static let daysOfTimes = [
        "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%b-%Y", "%d %b %Y",
    ]

    /// The formats that are looked for.
    ///
    /// A year of two digits does not determine the century: such a format is reported, and taken only if the user gave
    /// it.
    static let formats: [String] = {
        let instants =
            daysOfTimes.flatMap { day in times.map { "\(day) \($0)" } }
            + ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S.%f"]
        return (days + instants).flatMap { format in
            let others = format.hasPrefix("%Y-") ? [] : [unpadded(format, "dm"), unpadded(format)]
            return others.reduce(into: [format]) { if !$0.contains($1) { $0.append($1) } }
        }
    }()
    private static let usual: [Candidate] = formats.compactMap { format in
        // A test finds a format that does not exist.
        (try? DatePattern(format)).map { Candidate($0) }
    }
    private static let lengths = 6...40
    /// The excess of cells of other formats at which a format is no longer counted.
    private static let patience = 8

    private let said: [Candidate]
    private var count = 0
    private var candidates: [Candidate] = []

    /// - Parameter patterns: The formats that the user gave.
    init(said patterns: [DatePattern]) {
        said = patterns.flatMap { pattern in
            // Exact ones first, so that the export writes the file's own texts.
            // Numbers side by side need their zeros, so that such a format has no other.
            let other = try? DatePattern(Self.unpadded(pattern.text))
            return [Candidate(pattern, isSaid: true)]
                + (other.map { $0 == pattern ? [] : [Candidate($0, isSaid: true)] } ?? [])
                + [Candidate(pattern, isSaid: true, isExact: false)]
        }
    }

    static var patternCount: Int { usual.count }

    /// Returns a format that writes days, months and hours, or some of them, without leading zeros.
    private static func unpadded(_ format: String, _ letters: String = "dmIH") -> String {
        letters.reduce(format) { text, letter in
            text.split(separator: "%\(letter)", omittingEmptySubsequences: false).joined(separator: "%-\(letter)")
        }
    }

    /// Returns what a format reads, whether numbers have leading zeros and months are short or not.
    private static func reading(_ pattern: DatePattern) -> String {
        var text = ""
        for letter in pattern.text where letter != "-" || text.last != "%" { text.append(letter == "B" ? "b" : letter) }
        return text
    }

    /// The formats that all cells have; a format that the user gave comes first.
    var left: [Candidate] { candidates.filter { $0.misses == 0 } }

    /// The format of all cells; `nil` if there is none, or if several read the cells differently.
    var only: Candidate? {
        let left = left
        if let said = left.first(where: \.isSaid) { return said }
        guard let first = left.first, !first.pattern.text.contains("y") else { return nil }
        return left.allSatisfy { Self.reading($0.pattern) == Self.reading(first.pattern) } ? first : nil
    }

    /// The formats that all cells have and that read them differently, one text each.
    var readings: [String] {
        var texts: [String] = []
        for candidate in left {
            let text = Self.reading(candidate.pattern)
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    /// The format that most cells have and not all; `nil` if no format has more than half of the cells.
    var nearest: Candidate? {
        candidates.filter { $0.misses > 0 && $0.misses * 2 < count }.min { $0.misses < $1.misses }
    }

    /// Notes a cell.
    ///
    /// - Returns: The kinds that it is of in one of the formats.
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
        // Most columns have no dates, and need no memory for them.
        if candidates.isEmpty { candidates = [] }
        return found
    }

    /// Notes a cell that is no text, and so of no format.
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

    private func isHopeless(_ candidate: Candidate) -> Bool { candidate.misses * 2 > count + Self.patience }

    private static func hasDigit(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where text[index] &- 0x30 <= 9 { return true }
        return false
    }
}
