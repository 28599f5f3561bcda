/// An error in a textual predicate, sort order or assignment, with its location.
///
/// ```
/// column 12: there is no attribute "salry" in Employee; did you mean "salary"?
/// ```
public struct PredicateTextError: Error, Sendable, Hashable {
    /// A description of the error, without its location.
    public let message: String
    /// The position of the first wrong character, from 1; one past the end if a part is missing there.
    public let column: Int
    /// The count of wrong characters, at least 1.
    public let length: Int
    /// The whole text.
    public let text: String

    /// The maximum count of characters of the text in ``rendering``.
    private static let excerptLength = 76

    init(_ message: String, _ span: Range<Int>, in scalars: [Unicode.Scalar]) {
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

    /// The count of characters before the first wrong one.
    public var offset: Int { column - 1 }

    /// The relevant part of the text, followed by a line that marks the error, for a terminal.
    ///
    /// A text that is longer than a line is shortened around the location. A control character is replaced with a
    /// space.
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
    /// The location and the message, in one line.
    public var description: String { "column \(column): \(message)" }
}
