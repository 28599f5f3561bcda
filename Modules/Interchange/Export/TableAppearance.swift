/// The style of a file with a table, so that another file can be written in the same style.
///
/// ```swift
/// let appearance = try TableAppearance(of: ByteInput(path: "people.csv"))
/// ```
public struct TableAppearance: Sendable, Hashable {
    /// The separator between two fields.
    public var separator: CSVSeparator
    /// The line ending of the first line.
    public var lineEnding: ExportOptions.LineEnding
    /// A Boolean value that indicates whether the file begins with a byte order mark.
    public var hasByteOrderMark: Bool
    /// A Boolean value that indicates whether all fields are quoted, except empty ones.
    public var quotesAll: Bool

    /// Inspects the beginning of a file, at most 64 KiB.
    ///
    /// - Parameters:
    ///   - input: The file, in UTF-8; its bytes are not consumed.
    ///   - isKnown: A closure that returns whether a name is an expected column, which helps to detect the separator.
    /// - Throws: ``InterchangeError`` if the file cannot be read, ``InterchangeError/Code/header`` if it is empty.
    public init(of input: ByteInput, isKnown: (String) -> Bool = { _ in false }) throws(InterchangeError) {
        var bytes = try input.peek(CSVRecognition.byteCount)[...]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        hasByteOrderMark = bytes.starts(with: mark)
        if hasByteOrderMark { bytes = bytes.dropFirst(mark.count) }
        guard !bytes.isEmpty else {
            throw InterchangeError(
                .header, source: input.name, message: "the file is empty and cannot be used as an example")
        }
        separator = CSVRecognition(CSVDialect(), comment: []).separator(of: bytes, isKnown)
        (lineEnding, quotesAll) = Self.lines(bytes, separator.byte)
    }

    /// Returns the ending of the first line, and whether every complete field that is not empty is quoted.
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
                // The second quote of a doubled quote reopens the field that the first one closed.
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
