/// A character inside numbers: the decimal separator, or the separator between groups of three digits.
///
/// ## Topics
///
/// ### Creating a sign
///
/// - ``init(_:)``
/// - ``point``
///
/// ### Inspecting a sign
///
/// - ``text``
/// - ``description``
public struct NumberSign: Sendable, Hashable, CustomStringConvertible {
    /// The character.
    public let text: String

    /// The UTF-8 bytes of the character.
    let bytes: [UInt8]

    /// The point.
    public static let point = NumberSign(unchecked: ".")

    /// Creates a sign from one character.
    ///
    /// The character may have several bytes, such as a no-break space. Two signs are equal only if their characters
    /// are.
    ///
    /// - Parameter text: Any character that is not a letter, digit, sign or control character, such as `,`, an
    ///   apostrophe or a narrow space.
    /// - Throws: ``InterchangeError/Code/unsupported`` if the text is not exactly one Unicode scalar, or if the
    ///   character may be a part of a number or a word.
    public init(_ text: String) throws(InterchangeError) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count == 1, scalars[0].value >= 0x20, scalars[0].value != 0x7F else {
            throw InterchangeError(.unsupported, message: "\(PrintableText.quoted(text)) is not one character")
        }
        let isPart =
            scalars[0].properties.isAlphabetic || scalars[0].properties.numericType != nil
            || ["+", "-", "\u{2212}"].contains(scalars[0])
        guard !isPart else {
            throw InterchangeError(
                .unsupported,
                message: "\(PrintableText.quoted(text)) cannot be a sign, because it can be part of numbers or words")
        }
        self.init(unchecked: text)
    }

    private init(unchecked text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// The character.
    public var description: String { text }
}
