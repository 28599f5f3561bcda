/// The ASCII character between two fields of a CSV file.
///
/// A separator is any ASCII character except the double quote, line breaks and NUL. Use one of the four usual
/// separators if possible: only these are detected, and the default texts of numbers and dates never contain them.
///
/// ```swift
/// let colon = try CSVSeparator(UInt8(ascii: ":"))
/// ```
///
/// ## Topics
///
/// ### Usual separators
///
/// - ``comma``
/// - ``semicolon``
/// - ``tab``
/// - ``bar``
///
/// ### Other separators
///
/// - ``init(_:)``
/// - ``byte``
public struct CSVSeparator: Hashable, Sendable {
    /// The ASCII code of the separator.
    public let byte: UInt8

    /// The comma of RFC 4180.
    public static let comma = CSVSeparator(unchecked: UInt8(ascii: ","))

    /// The semicolon of spreadsheets in countries with a decimal comma.
    public static let semicolon = CSVSeparator(unchecked: UInt8(ascii: ";"))

    /// The tab of TSV files.
    public static let tab = CSVSeparator(unchecked: UInt8(ascii: "\t"))

    /// The vertical bar.
    public static let bar = CSVSeparator(unchecked: UInt8(ascii: "|"))

    /// Creates a separator from its ASCII code.
    ///
    /// - Parameter byte: The ASCII code of the separator.
    /// - Throws: ``InterchangeError/Code/unsupported`` if the byte is a quote, a line break, NUL, or not ASCII.
    public init(_ byte: UInt8) throws(InterchangeError) {
        let reserved = [0, UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        guard byte < 0x80, !reserved.contains(byte) else {
            throw InterchangeError(
                .unsupported,
                message: "byte \(byte) cannot separate fields; use an ASCII character other than a quote or line break"
            )
        }
        self.byte = byte
    }

    private init(unchecked byte: UInt8) {
        self.byte = byte
    }
}

extension CSVSeparator {
    /// Returns the separator for a byte; `nil` if the byte cannot be a separator.
    static func allowed(_ byte: UInt8) -> CSVSeparator? {
        do throws(InterchangeError) { return try CSVSeparator(byte) } catch { return nil }
    }

    /// The text with which a line that declares the separator begins, in any case: `sep=` in `sep=;`.
    static let lineBeginning = Array("sep=".utf8)

    /// Returns a Boolean value that indicates whether a text is a line such as `sep=;`, or could be the beginning of
    /// one.
    ///
    /// The writer of tables uses it: a first field with such a text is quoted, because a reader would read it as a
    /// declaration.
    static func beginsLine(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count - lineBeginning.count <= 1 && text.count >= lineBeginning.count
            && zip(text, lineBeginning).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// The name of the separator in messages, in the plural: `commas`.
    var name: String {
        switch self {
        case .comma: "commas"
        case .semicolon: "semicolons"
        case .tab: "tabs"
        case .bar: "bars"
        default: "\"\(String(decoding: [byte], as: UTF8.self))\""
        }
    }
}
