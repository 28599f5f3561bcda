import StrataCore
import StrataInterchange

/// The statistics of one column of a dataset.
///
/// The column has up to three counts of kinds at the same time: ``scan`` counts all cells, ``sparing`` omits words for
/// missing values, and a third one omits empty cells in quotes. The second and third one begin as a copy of the first
/// one at the first cell that they omit, so that most columns need only one.
///
/// The size does not depend on the count of records, except for the distinct values in ``key``.
struct ColumnScan {
    /// The words that commonly represent missing values; they are reported, but never read as null.
    private static let tokens: Set<String> = [
        "NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "Null", "None", "none", "NaN", "nan", "nil", "\\N", "-", "--",
        "?",
        "-999", "-9999", "unknown", "missing",
    ]
    /// The length in bytes of the longest word for missing values.
    private static let longestToken = 7

    /// The name of the column in the model, which options use.
    let name: String
    /// The count of null cells.
    private(set) var nullCount = 0
    /// The count of cells that are not null, including empty texts.
    private(set) var valueCount = 0
    /// The count of empty texts that are not null.
    private(set) var emptyCount = 0
    /// The length of the longest cell, in bytes.
    private(set) var longest = 0
    /// The counts of the words for missing values that occur in the column, by word.
    private(set) var tokenCounts: [String: Int] = [:]
    /// The count of kinds for all cells that are not null.
    private(set) var scan: KindScan
    /// The count of kinds that omits words for missing values, begun at the first such word; `nil` if there is none.
    private(set) var sparing: KindScan?
    /// The check whether the column can be a key or a reference.
    var key: KeyScan
    /// The counts of the column's values in a document, by JSON kind.
    private(set) var jsonKinds: [String: Int] = [:]

    /// A Boolean value that indicates whether the column has values of several JSON kinds that only JSON text
    /// preserves.
    ///
    /// If all values are numbers and strings, an import option can store all of them as texts.
    var needsJSON: Bool {
        jsonKinds.count > 1 && jsonKinds.values.reduce(0, +) == valueCount
            && !Set(jsonKinds.keys).isSubset(of: ["number", "string"])
    }

    /// The count of cells that do not match the type that the user specified; `nil` if the user specified none.
    private(set) var given: GivenTypeScan?

    /// The count of empty cells in quotes.
    private(set) var quotedEmptyCount = 0
    /// The line of the first empty cell in quotes.
    private(set) var quotedEmptyLine = 0
    /// The count of kinds that omits empty cells in quotes, begun at the first such cell; `nil` if there is none.
    private var filled: KindScan?
    /// A Boolean value that indicates whether a value of the column is written without quotes.
    private(set) var hasUnquoted = false
    /// A Boolean value that indicates whether a value of the column is written in quotes that it does not need.
    private(set) var hasNeedlessQuotes = false
    /// A Boolean value that indicates whether empty cells in quotes are null.
    private(set) var emptyIsNull = false

    init(
        _ name: String, of kinds: CellKinds, _ spelling: ValueSpelling, given: GivenType?, key: KeyScan,
        permitsOtherDigits: Bool = false, numbersAreDoubles: Bool = false
    ) {
        self.name = name
        scan = KindScan(
            kinds, spelling, permitsOtherDigits: permitsOtherDigits,
            numbersAreDoubles: numbersAreDoubles)
        self.given = given.map { GivenTypeScan($0, spelling) }
        self.key = key
    }

    /// The file that contains the first cell that does not match the type that the user specified.
    private(set) var givenFile: String?

    /// Notes that a file was read to its end.
    mutating func noteFile(_ file: String) {
        if givenFile == nil, given?.misfit != nil { givenFile = file }
    }

    /// Counts the records of a file that does not have this column as null.
    mutating func noteMissing(_ records: Int) {
        guard records > 0 else { return }
        noteNull()
        nullCount += records - 1
    }

    /// Counts a null cell.
    mutating func noteNull() {
        nullCount += 1
        if !key.isOver || !key.hasNull { key.noteNull() }
    }

    /// Notes that a value of the column is written without quotes.
    mutating func noteUnquoted() { hasUnquoted = true }

    /// Notes that a value of the column is written in quotes that it does not need.
    mutating func noteNeedlessQuotes() { hasNeedlessQuotes = true }

    /// Counts an empty cell in quotes.
    ///
    /// If all other values are quoted too and the column does not contain texts, the cell is null.
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

    /// Returns the statistics of the whole column, in which empty cells in quotes are classified as null or as texts.
    ///
    /// - Parameter quotesAll: A Boolean value that indicates whether all values of the file are quoted.
    /// - Returns: The statistics of the whole column.
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

    /// Counts a cell that is not null.
    ///
    /// - Parameters:
    ///   - text: The text of the cell, without quotes.
    ///   - line: The physical line of the cell in its file.
    ///   - allowed: The kinds that the cell may match, or `nil` for all.
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

    /// Returns a Boolean value that indicates whether a text begins like a word for missing values.
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

    /// Counts a short cell, which may be a word for missing values.
    private mutating func noteShort(_ text: Span<UInt8>, line: Int, allowed: CellKinds?) {
        let word = String(decoding: text)
        guard Self.tokens.contains(word) else {
            sparing?.note(text, line: line, allowed: allowed)
            return
        }
        if sparing == nil { sparing = scan }
        tokenCounts[word, default: 0] += 1
    }

    /// Counts a value of a document with its JSON kind.
    mutating func note(_ text: Span<UInt8>, kind: String, allowed: CellKinds, line: Int) {
        jsonKinds[kind, default: 0] += 1
        note(text, line: line, allowed: allowed)
    }
}
