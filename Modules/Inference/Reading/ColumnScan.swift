import StrataCore
import StrataInterchange

/// The statistics of one column.
struct ColumnScan {
    /// The words that people commonly write for missing values; they are reported, but never read as null.
    private static let tokens: Set<String> = [
        "NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "Null", "None", "none", "NaN", "nan", "nil", "\\N", "-", "--",
        "?",
        "-999", "-9999", "unknown", "missing",
    ]
    private static let longestToken = 7

    let name: String
    private(set) var nullCount = 0
    private(set) var valueCount = 0
    private(set) var emptyCount = 0
    private(set) var longest = 0
    /// The counts of the words for missing values.
    private(set) var tokenCounts: [String: Int] = [:]
    private(set) var scan: KindScan
    /// The kinds of the cells without the words for missing values, from the first such word on.
    private(set) var sparing: KindScan?
    var key: KeyScan
    /// The counts of a document's values by JSON kind.
    private(set) var jsonKinds: [String: Int] = [:]

    /// A Boolean value that indicates whether a document has values of several kinds that only JSON text preserves.
    ///
    /// If there are only numbers and strings, an option can import both as texts.
    var needsJSON: Bool {
        jsonKinds.count > 1 && jsonKinds.values.reduce(0, +) == valueCount
            && !Set(jsonKinds.keys).isSubset(of: ["number", "string"])
    }

    /// The type that the user specified, with the cells that do not match it.
    private(set) var given: GivenTypeScan?

    /// The count of empty quoted cells.
    private(set) var quotedEmptyCount = 0
    /// The line of the first empty quoted cell.
    private(set) var quotedEmptyLine = 0
    /// The kinds of the cells without empty quoted ones, from the first empty quoted cell on.
    private var filled: KindScan?
    /// A Boolean value that indicates whether the column has an unquoted value.
    private(set) var hasUnquoted = false
    /// A Boolean value that indicates whether the column has a value in unnecessary quotes.
    private(set) var hasNeedlessQuotes = false
    /// A Boolean value that indicates whether empty quoted cells are null.
    private(set) var emptyIsNull = false

    init(_ name: String, of kinds: CellKinds, _ spelling: ValueSpelling, given: GivenType?, key: KeyScan) {
        self.name = name
        scan = KindScan(kinds, spelling)
        self.given = given.map { GivenTypeScan($0, spelling) }
        self.key = key
    }

    /// The file of the first cell that does not match the type that the user specified.
    private(set) var givenFile: String?

    /// Records that a file was read to its end.
    mutating func noteFile(_ file: String) {
        if givenFile == nil, given?.misfit != nil { givenFile = file }
    }

    /// Counts records of a file that does not have this column.
    mutating func noteMissing(_ records: Int) {
        guard records > 0 else { return }
        noteNull()
        nullCount += records - 1
    }

    mutating func noteNull() {
        nullCount += 1
        if !key.isOver || !key.hasNull { key.noteNull() }
    }

    /// Records that the column has an unquoted value.
    mutating func noteUnquoted() { hasUnquoted = true }

    /// Records that the column has a value in unnecessary quotes.
    mutating func noteNeedlessQuotes() { hasNeedlessQuotes = true }

    /// Counts an empty quoted cell.
    ///
    /// The cell is null if all other values are quoted too and the column does not contain texts.
    mutating func noteQuotedEmpty(line: Int) {
        let empty: [UInt8] = []
        if let given, given.type.kind != .text {
            // The import reads the cell as null.
            return noteNull()
        }
        if filled == nil { (filled, quotedEmptyLine) = (scan, line) }
        quotedEmptyCount += 1
        emptyCount += 1
        valueCount += 1
        scan.note(empty.span, line: line)
        sparing?.note(empty.span, line: line)
        key.noteNull()
    }

    /// Returns the column after its last cell, with empty quoted cells classified as null or texts.
    ///
    /// - Parameter quotesAll: A Boolean value that indicates whether all values of the file are quoted.
    /// - Returns: The column.
    func settled(quotesAll: Bool) -> ColumnScan {
        guard let filled, quotedEmptyCount < valueCount, !hasUnquoted, hasNeedlessQuotes || quotesAll else {
            return self
        }
        switch filled.kind {
        case .text, .words, .object, .array: return self
        default: break
        }
        var column = self
        column.scan = filled
        column.valueCount -= quotedEmptyCount
        column.emptyCount -= quotedEmptyCount
        column.nullCount += quotedEmptyCount
        column.emptyIsNull = true
        return column
    }

    @inline(__always)
    mutating func note(_ text: Span<UInt8>, line: Int, allowed: CellKinds? = nil) {
        valueCount += 1
        if text.isEmpty { emptyCount += 1 }
        if text.count > longest { longest = text.count }
        if text.count <= Self.longestToken, Self.mayBeToken(text) {
            noteShort(text, line: line, allowed: allowed)
        } else {
            sparing?.note(text, line: line, allowed: allowed)
        }
        if quotedEmptyCount > 0 { filled?.note(text, line: line, allowed: allowed) }
        scan.note(text, line: line, allowed: allowed)
        given?.note(text, line: line)
        key.note(text, line: line)
    }

    @inline(__always)
    private static func mayBeToken(_ text: Span<UInt8>) -> Bool {
        guard let first = text.isEmpty ? nil : text[0] else { return false }
        switch first {
        case UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: "#"), UInt8(ascii: "\\"), UInt8(ascii: "-"),
            UInt8(ascii: "?"), UInt8(ascii: "u"), UInt8(ascii: "m"):
            return true
        default: return false
        }
    }

    private mutating func noteShort(_ text: Span<UInt8>, line: Int, allowed: CellKinds?) {
        let word = String(decoding: text)
        guard Self.tokens.contains(word) else {
            sparing?.note(text, line: line, allowed: allowed)
            return
        }
        if sparing == nil { sparing = scan }
        tokenCounts[word, default: 0] += 1
    }

    /// Counts a value of a document, with its kind.
    mutating func note(_ text: Span<UInt8>, kind: String, allowed: CellKinds, line: Int) {
        jsonKinds[kind, default: 0] += 1
        note(text, line: line, allowed: allowed)
    }
}
