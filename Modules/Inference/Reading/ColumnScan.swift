import StrataCore

/// What is known of one column.
struct ColumnScan {
    /// Texts that people write where there is no value; they are told, and never taken for null.
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
    /// How many cells are words for nothing.
    private(set) var tokenCounts: [String: Int] = [:]
    private(set) var scan: KindScan
    /// The same without words for nothing, from the first of them on.
    private(set) var sparing: KindScan?
    var key: KeyScan
    /// How many values of a document are of each kind.
    private(set) var jsonKinds: [String: Int] = [:]

    init(_ name: String, _ kinds: CellKinds, key: KeyScan) {
        self.name = name
        scan = KindScan(kinds)
        self.key = key
    }

    mutating func noteNull() {
        nullCount += 1
        if !key.isOver || !key.hasNull { key.noteNull() }
    }

    @inline(__always)
    mutating func note(_ text: Span<UInt8>, line: Int) {
        valueCount += 1
        if text.isEmpty { emptyCount += 1 }
        if text.count > longest { longest = text.count }
        if text.count <= Self.longestToken, Self.mayBeToken(text) {
            noteShort(text, line)
        } else {
            sparing?.note(text, line: line)
        }
        scan.note(text, line: line)
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

    private mutating func noteShort(_ text: Span<UInt8>, _ line: Int) {
        let word = String(decoding: text)
        guard Self.tokens.contains(word) else {
            sparing?.note(text, line: line)
            return
        }
        if sparing == nil { sparing = scan }
        tokenCounts[word, default: 0] += 1
    }

    /// Notes of which kind a value of a document is.
    mutating func note(kind: String, only kinds: CellKinds, _ text: Span<UInt8>, line: Int) {
        jsonKinds[kind, default: 0] += 1
        scan.keepOnly(kinds, text: text, line: line)
        sparing?.keepOnly(kinds, text: text, line: line)
    }
}
