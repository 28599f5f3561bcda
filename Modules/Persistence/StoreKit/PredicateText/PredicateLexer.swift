import StrataCore

/// A lexer that splits a textual predicate into tokens, in one pass.
///
/// It rejects characters that have no meaning, texts without a closing quote, and texts that are too long. The parser
/// therefore receives only complete tokens, and the last one is always the end token.
struct PredicateLexer {
    /// The maximum length of a textual predicate, in Unicode scalars; a list of 32,000 values fits.
    static let maximumCount = 1_000_000

    /// The signs that consist of two characters; they are matched before signs of one character.
    private static let pairs: Set<String> = ["&&", "||", "==", "!=", "<>", "<=", ">=", "=<", "=>"]
    private static let signs = Set("<>=!(){}[],.+-*/≤≥≠".unicodeScalars)

    let scalars: [Unicode.Scalar]
    private var place = 0
    private var tokens: [PredicateToken] = []

    private init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// Returns the tokens of a textual predicate; the last token marks the end of the text.
    static func tokens(of scalars: [Unicode.Scalar]) throws(PredicateTextError) -> [PredicateToken] {
        var lexer = PredicateLexer(scalars)
        guard scalars.count <= maximumCount else {
            throw PredicateTextError(
                "the text has \(scalars.count) characters; at most \(maximumCount) are read", 0..<1, in: scalars)
        }
        while try lexer.next() {}
        return lexer.tokens
    }

    private func error(_ message: String, from start: Int) -> PredicateTextError {
        PredicateTextError(message, start..<max(place, start + 1), in: scalars)
    }

    private mutating func add(_ kind: PredicateToken.Kind, from start: Int) {
        tokens.append(PredicateToken(kind: kind, span: start..<place))
    }

    private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func next() throws(PredicateTextError) -> Bool {
        while let scalar = current, scalar.properties.isWhitespace { place += 1 }
        let start = place
        guard let scalar = current else {
            add(.end, from: start)
            return false
        }
        switch scalar {
        case "\"", "'": add(.string(try string(endingWith: scalar)), from: start)
        case "`": add(.word(try quotedName(), isKeyword: false), from: start)
        case "#":
            place += 1
            let name = word()
            guard !name.isEmpty else { throw error("a name is expected after #", from: start) }
            add(.word(name, isKeyword: false), from: start)
        case "@":
            place += 1
            add(.word("@" + word(), isKeyword: true), from: start)
        case _ where scalar.isWordStart: add(.word(word(), isKeyword: true), from: start)
        case _ where scalar.isDigit || (scalar == "." && isFraction): try number()
        default:
            add(.sign(try sign()), from: start)
        }
        return true
    }

    private mutating func sign() throws(PredicateTextError) -> String {
        let start = place
        place += 1
        let first = Character(scalars[start])
        if place < scalars.count, scalars[place].isASCII {
            let pair = String([first, Character(scalars[place])])
            if Self.pairs.contains(pair) {
                place += 1
                return pair
            }
        }
        guard Self.signs.contains(scalars[start]) else {
            throw error("this character has no meaning here; a name that contains it must be in backticks", from: start)
        }
        return String(first)
    }

    /// A Boolean value that indicates whether the point at the current position begins a number (`.5`) and not a path
    /// step.
    private var isFraction: Bool {
        guard place + 1 < scalars.count, scalars[place + 1].isDigit else { return false }
        if case .word = tokens.last?.kind { return false }
        return true
    }

    private mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = current, scalar.isWordStart || scalar.isDigit {
            word.append(scalar)
            place += 1
        }
        return String(word)
    }

    private mutating func quotedName() throws(PredicateTextError) -> String {
        let start = place
        place += 1
        var name = String.UnicodeScalarView()
        while let scalar = current, scalar != "`" {
            name.append(scalar)
            place += 1
        }
        guard current != nil else { throw error("the name that begins here has no closing `", from: start) }
        place += 1
        return String(name)
    }

    private mutating func number() throws(PredicateTextError) {
        let start = place
        skipDigits()
        if current == ".", place + 1 < scalars.count, scalars[place + 1].isDigit {
            place += 1
            skipDigits()
        }
        if current == "e" || current == "E" {
            place += 1
            if current == "+" || current == "-" { place += 1 }
            let digits = place
            skipDigits()
            if place == digits { throw error("a number has no digits after its e", from: start) }
        }
        if let scalar = current, scalar.isWordStart {
            while let scalar = current, scalar.isWordStart || scalar.isDigit { place += 1 }
            throw error("neither a number nor a name; put a text into quotes", from: start)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<place])
        add(.number(String(text)), from: start)
    }

    private mutating func skipDigits() {
        while let scalar = current, scalar.isDigit { place += 1 }
    }

    // MARK: Texts

    private mutating func string(endingWith quote: Unicode.Scalar) throws(PredicateTextError) -> String {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = current {
            if scalar == quote {
                // A doubled quote is one quote, as in SQL.
                guard place + 1 < scalars.count, scalars[place + 1] == quote else { break }
                place += 1
            }
            place += 1
            text.append(scalar == "\\" ? try escaped() : scalar)
        }
        guard current != nil else {
            place = start + 1
            throw error("the text that begins here has no closing \(quote)", from: start)
        }
        place += 1
        return String(text)
    }

    /// Reads the rest of an escape sequence after its backslash, and returns the scalar that it represents.
    private mutating func escaped() throws(PredicateTextError) -> Unicode.Scalar {
        let start = place - 1
        guard let scalar = current else { throw error("the text ends after a backslash", from: start) }
        place += 1
        switch scalar {
        case "\"", "'", "\\", "/": return scalar
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try escapedNumber(from: start)
        default: throw error("unknown escape; use \\\" \\' \\\\ \\n \\r \\t and \\u00E9", from: start)
        }
    }

    /// Reads four hexadecimal digits, or one to six of them in braces, and returns the scalar with this number.
    private mutating func escapedNumber(from start: Int) throws(PredicateTextError) -> Unicode.Scalar {
        let isBraced = current == "{"
        if isBraced { place += 1 }
        var (number, count): (UInt32, Int) = (0, 0)
        while let digit = current?.hexadecimalDigit, count < (isBraced ? 6 : 4) {
            number = number * 16 + digit
            count += 1
            place += 1
        }
        let isWhole = isBraced ? count > 0 && current == "}" : count == 4
        guard isWhole, let scalar = Unicode.Scalar(number) else {
            throw error(
                "\\u must be followed by the four hexadecimal digits of a character, or \\u{…} by one to six",
                from: start)
        }
        if isBraced { place += 1 }
        return scalar
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    /// A Boolean value that indicates whether a word of a textual predicate can begin with the scalar.
    ///
    /// Letters of every script are accepted, so that an error message contains the whole unknown name.
    fileprivate var isWordStart: Bool { self == "_" || properties.isAlphabetic }

    fileprivate var hexadecimalDigit: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}
