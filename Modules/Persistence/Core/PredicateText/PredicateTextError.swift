/// An error in a textual predicate, sort order or assignment, with its location.
///
/// ```
/// column 12: there is no attribute "salry" in Employee; did you mean "salary"?
/// ```
///
/// Print ``rendering`` below ``description`` to show the location in a terminal. The texts contain parts of the user's
/// input.
///
/// ## Topics
///
/// ### The error
///
/// - ``message``
/// - ``description``
///
/// ### The location
///
/// - ``column``
/// - ``length``
/// - ``offset``
/// - ``text``
/// - ``rendering``
public struct PredicateTextError: Error, Sendable, Hashable {
    /// A description of the error, without its location in the text.
    public let message: String
    /// The position of the first wrong character in ``text``, from 1.
    ///
    /// If a part of the text is missing at its end, it is one more than the count of characters.
    public let column: Int
    /// The count of wrong characters in ``text``, at least 1.
    public let length: Int
    /// The whole text of the predicate, sort order or assignments.
    public let text: String

    /// The maximum count of characters of ``text`` in ``rendering``.
    private static let excerptLength = 76

    package init(_ message: String, _ span: Range<Int>, in scalars: [Unicode.Scalar]) {
        self.message = message
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        self.text = String(text)
        // The lexer counts locations in scalars. The properties count them in characters, as terminals show them.
        var (column, length, scalar) = (1, 0, 0)
        for character in self.text {
            if scalar >= span.upperBound { break }
            let next = scalar + character.unicodeScalars.count
            if next <= span.lowerBound { column += 1 } else { length += 1 }
            scalar = next
        }
        self.column = column
        self.length = max(1, length)
    }

    /// The count of characters in ``text`` before the first wrong one.
    public var offset: Int { column - 1 }

    /// The part of ``text`` around the error, followed by a line that marks the wrong characters, for a terminal.
    ///
    /// If ``text`` is longer than a line, it is shortened. Each control character is replaced with a space.
    public var rendering: String {
        let characters = Array(text)
        let start = max(0, min(offset - Self.excerptLength / 2, characters.count - Self.excerptLength))
        let shown = characters.dropFirst(start).prefix(Self.excerptLength).map { character -> Character in
            character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : character
        }
        let cutAtStart = start > 0 ? "…" : ""
        let cutAtEnd = start + shown.count < characters.count ? "…" : ""
        let indent = String(repeating: " ", count: offset - start + cutAtStart.count)
        let room = max(1, start + shown.count - offset)
        let carets = String(repeating: "^", count: min(length, room))
        return "\(cutAtStart)\(String(shown))\(cutAtEnd)\n\(indent)\(carets)"
    }
}

extension PredicateTextError: CustomStringConvertible {
    /// The location and the message of the error, in one line.
    public var description: String { "column \(column): \(message)" }
}
