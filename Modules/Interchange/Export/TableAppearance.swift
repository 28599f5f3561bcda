/// How a file looks that holds a table, so that another one can look like it.
///
/// ```swift
/// let appearance = try TableAppearance(of: ByteInput(path: "people.csv"))
/// ```
public struct TableAppearance: Sendable, Hashable {
    /// What is between two fields.
    public var separator: CSVSeparator
    /// What ends the first line.
    public var lineEnding: ExportOptions.LineEnding
    /// Whether it begins with a byte order mark.
    public var hasByteOrderMark: Bool
    /// Whether all fields are in quotes, but for those of which there is nothing.
    public var quotesAll: Bool

    /// Looks at the beginning of a file, at most 64 KiB.
    ///
    /// - Parameters:
    ///   - input: The file, in UTF-8; nothing of it is used up.
    ///   - isKnown: Whether a name is one of the columns that are expected, which helps to find the separator out.
    /// - Throws: ``InterchangeError`` when it cannot be read, ``InterchangeError/Code/header`` when there is nothing in it.
    public init(of input: ByteInput, isKnown: (String) -> Bool = { _ in false }) throws(InterchangeError) {
        var bytes = try input.peek(CSVRecognition.byteCount)[...]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        hasByteOrderMark = bytes.starts(with: mark)
        if hasByteOrderMark { bytes = bytes.dropFirst(mark.count) }
        guard !bytes.isEmpty else {
            throw InterchangeError(.header, source: input.name, message: "is empty, so that nothing can look like it")
        }
        separator = CSVRecognition(CSVDialect(), comment: []).separator(of: bytes, isKnown)
        (lineEnding, quotesAll) = Self.lines(bytes, separator.byte)
    }

    /// What ends the first line, and whether every field that is whole and not empty is in quotes.
    private static func lines(_ bytes: ArraySlice<UInt8>, _ separator: UInt8) -> (ExportOptions.LineEnding, Bool) {
        let quote = UInt8(ascii: "\"")
        var ending: ExportOptions.LineEnding?
        var isQuoted = false
        var isAtStart = true
        var quoted = 0
        var bare = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if isQuoted {
                if byte == quote { isQuoted = false }
                continue
            }
            switch byte {
            case quote:
                // A doubled one opens what the one before has closed.
                if isAtStart { quoted += 1 }
                isQuoted = true
                isAtStart = false
            case separator: isAtStart = true
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                isAtStart = true
                guard ending == nil else { continue }
                let isFollowed = index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: "\n")
                ending = byte == UInt8(ascii: "\n") ? .lf : isFollowed ? .crlf : .cr
            default:
                if isAtStart { bare += 1 }
                isAtStart = false
            }
        }
        return (ending ?? .lf, quoted > 0 && bare == 0)
    }
}
