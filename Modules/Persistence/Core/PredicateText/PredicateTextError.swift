/// Why a predicate, a sort order or an assignment in text cannot be understood, and where.
///
/// ```
/// column 12: there is no attribute "salry" in Employee; did you mean "salary"?
/// ```
public struct PredicateTextError: Error, Sendable, Hashable {
    /// What is wrong, without the place.
    public let message: String
    /// The first character that is wrong, from 1; one past the end where something is missing there.
    public let column: Int
    /// How many characters are wrong, at least 1.
    public let length: Int
    /// The whole text.
    public let text: String

    /// The most characters of the text that ``rendering`` shows.
    private static let excerptLength = 76

    init(_ message: String, _ span: Range<Int>, in scalars: [Unicode.Scalar]) {
        self.message = message
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        self.text = String(text)
        // Places are counted in scalars while the text is read, and in characters when they are shown.
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

    /// How many characters stand before the first that is wrong.
    public var offset: Int { column - 1 }

    /// The part of the text that is wrong, and below it a line that points there: for a terminal.
    ///
    /// A text that is longer than a line is cut around the place; what would not be one column is shown as a space.
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
    /// The place and the message, in one line.
    public var description: String { "column \(column): \(message)" }
}
