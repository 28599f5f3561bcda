/// The style of a CSV or TSV file, by which another file can be written in the same style.
///
/// ```swift
/// let appearance = try TableAppearance(of: ByteInput(path: "people.csv"))
/// ```
///
/// Assign the properties to the properties of ``ExportOptions`` with the same names. The detection needs no model and
/// does not validate the file.
///
/// ## Topics
///
/// ### Detecting the style
///
/// - ``init(of:isKnown:)``
///
/// ### The style
///
/// - ``separator``
/// - ``lineEnding``
/// - ``hasByteOrderMark``
/// - ``quotesAll``
public struct TableAppearance: Sendable, Hashable {
    /// The separator between two fields of the file.
    ///
    /// It is one of the four usual separators, or the comma if none divides the first line.
    public var separator: CSVSeparator
    /// The line ending of the first line of the file.
    ///
    /// It is a line feed if the first 64 KiB contain no complete line. Line breaks inside quoted fields do not count.
    public var lineEnding: ExportOptions.LineEnding
    /// A Boolean value that indicates whether the file begins with a UTF-8 byte order mark.
    public var hasByteOrderMark: Bool
    /// A Boolean value that indicates whether all fields of the file are quoted, except for empty ones.
    ///
    /// It is `false` if the inspected part has no quoted field. A header counts like other lines.
    public var quotesAll: Bool

    /// Detects the style from the beginning of a file, at most 64 KiB.
    ///
    /// - Parameters:
    ///   - input: The file, in UTF-8; none of its bytes are consumed.
    ///   - isKnown: A closure that returns whether a name is that of an expected column, which helps to detect the
    ///     separator.
    /// - Throws: ``InterchangeError`` if the file cannot be read, or ``InterchangeError/Code/header`` if it is empty.
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

    /// Returns the ending of the first line, and whether all complete fields that are not empty are quoted.
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
