import StrataCore

/// A text pattern with wildcards: `*` for any characters, `?` for one Unicode scalar, and backslash as the escape.
///
/// A backslash makes the next character literal. Every store that does not delegate matching to a database uses this
/// definition. A match takes at most O(*n* · *m*) in the lengths of the text and the pattern.
public struct TextPattern: Sendable {
    /// The maximum length of a pattern in UTF-8 bytes, which limits the time to match one row.
    private static let maximumCount = 10_000

    private enum Piece: Sendable {
        case byte(UInt8)
        case oneScalar
        case anything
    }

    private let parts: [Piece]
    private let ignoresCase: Bool

    /// Creates a pattern from its text.
    ///
    /// - Parameters:
    ///   - pattern: The text of the pattern; a condition accepts at most 10,000 bytes.
    ///   - ignoringCase: A Boolean value that indicates whether the letters A to Z match a to z.
    public init(_ pattern: String, ignoringCase: Bool) {
        ignoresCase = ignoringCase
        var parts: [Piece] = []
        var isEscaped = false
        for byte in (ignoringCase ? pattern.foldingASCIICase() : pattern).utf8 {
            switch byte {
            case _ where isEscaped:
                parts.append(.byte(byte))
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "?"): parts.append(.oneScalar)
            case UInt8(ascii: "*"): parts.append(.anything)
            default: parts.append(.byte(byte))
            }
        }
        // A backslash at the end is literal.
        if isEscaped { parts.append(.byte(UInt8(ascii: "\\"))) }
        self.parts = parts
    }

    /// Throws an error if the text of a pattern is longer than 10,000 bytes.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    static func check(_ pattern: String, _ entity: EntityDescription) throws {
        guard pattern.utf8.count > maximumCount else { return }
        throw PersistenceError(
            .invalidRequest, "the pattern has more than \(maximumCount) bytes of UTF-8", entity: entity.name)
    }

    /// Returns a Boolean value that indicates whether the whole text matches the pattern.
    public func matches(_ text: String) -> Bool {
        let text = Array((ignoresCase ? text.foldingASCIICase() : text).utf8)
        var (place, part) = (0, 0)
        // The position of the last star and the end of the text that it matches so far. Only the last star needs a
        // retry.
        var retry: (part: Int, place: Int)?
        while place < text.count {
            if part < parts.count, case .anything = parts[part] {
                retry = (part + 1, place)
                part += 1
            } else if part < parts.count, let next = end(of: parts[part], text, place) {
                place = next
                part += 1
            } else if let (afterStar, taken) = retry {
                let longer = Self.endOfScalar(text, taken)
                retry = (afterStar, longer)
                (part, place) = (afterStar, longer)
            } else {
                return false
            }
        }
        while part < parts.count, case .anything = parts[part] { part += 1 }
        return part == parts.count
    }

    private func end(of part: Piece, _ text: [UInt8], _ place: Int) -> Int? {
        switch part {
        case .byte(let byte): text[place] == byte ? place + 1 : nil
        case .oneScalar: Self.endOfScalar(text, place)
        case .anything: nil
        }
    }

    private static func endOfScalar(_ text: [UInt8], _ place: Int) -> Int {
        var next = place + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}

extension String {
    /// Returns a Boolean value that indicates whether the UTF-8 bytes of the text end with those of another text.
    ///
    /// The result is `true` if the other text is empty.
    package func endsWithUTF8(_ other: String) -> Bool {
        utf8.count >= other.utf8.count && utf8.suffix(other.utf8.count).elementsEqual(other.utf8)
    }
}
