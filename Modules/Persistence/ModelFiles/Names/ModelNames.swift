import StrataCore

/// Makes names of a model from names of files: words from any text.
///
/// What is made once is written into the model file, as `strata:name`; the same texts always give the same names.
struct ModelNames {
    /// Names that are taken, without their case.
    private var taken: Set<String>
    /// The last number behind each name that was made up: those up to it are taken.
    private var numbers: [String: Int] = [:]

    /// - Parameter reserved: Names that nothing may get.
    init(reserved: Set<String> = []) {
        taken = reserved
    }

    /// Takes a name.
    ///
    /// - Returns: Whether it was free.
    mutating func take(_ name: String) -> Bool { taken.insert(name.lowercased()).inserted }

    /// Takes a name that somebody gave.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: What else has the names, for the message.
    /// - Returns: What is wrong with it; `nil` where nothing is.
    mutating func refusal(of name: String, _ owner: String) -> String? {
        guard let first = name.utf8.first, Self.isLetter(first),
            name.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "_") })
        else { return "“\(name)” is no name: letters, digits and _, beginning with a letter" }
        return take(name) ? nil : "“\(name)” is reserved, or \(owner)"
    }

    /// A free name for a text: `price (EUR)` is `priceEUR`, `Straße` is `Strasse`.
    ///
    /// - Parameters:
    ///   - text: What a file has.
    ///   - isEntity: Whether it is an entity's, which begins with a capital.
    ///   - otherwise: The name where nothing of the text is left, as of one in Chinese.
    /// - Returns: The name.
    mutating func name(for text: String, isEntity: Bool = false, otherwise: String) -> String {
        var name = Self.word(text)
        if name.isEmpty { name = otherwise }
        if let first = name.utf8.first, !Self.isLetter(first) { name = "x" + name }
        if name.lowercased().hasPrefix("sqlite_") || name.lowercased().hasPrefix("strata_") { name = "x" + name }
        if isEntity { name = name.prefix(1).uppercased() + name.dropFirst() }
        if take(name) { return name }
        let small = name.lowercased()
        var number = numbers[small] ?? 1
        repeat { number += 1 } while !take("\(name)\(number)")
        numbers[small] = number
        return "\(name)\(number)"
    }

    /// The letters and digits of a text as one word; what is a word already stays as it is.
    private static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }) {
            return String(text.drop { $0 == "_" })
        }
        var word = ""
        var beginsPart = false
        for scalar in text.unicodeScalars {
            let letters = letters(of: scalar)
            guard !letters.isEmpty else {
                // An apostrophe divides no word.
                beginsPart = beginsPart || (!word.isEmpty && scalar != "'" && scalar != "’")
                continue
            }
            word += beginsPart ? letters.prefix(1).uppercased() + letters.dropFirst() : letters
            beginsPart = false
        }
        return word
    }

    /// What a character is in ASCII: itself, or the letter under its accents; nothing where it is neither letter nor digit.
    private static func letters(of scalar: Unicode.Scalar) -> String {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            return isLetter(byte) || isDigit(byte) ? String(scalar) : ""
        }
        switch scalar {
        case "ß": return "ss"
        case "æ": return "ae"
        case "Æ": return "AE"
        case "œ": return "oe"
        case "Œ": return "OE"
        default: break
        }
        // Unicode calls it LATIN SMALL LETTER O WITH DIAERESIS.
        guard let name = scalar.properties.name else { return "" }
        for (prefix, isSmall) in [("LATIN SMALL LETTER ", true), ("LATIN CAPITAL LETTER ", false)]
        where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            guard let letter = rest.first, rest.count == 1 || rest.dropFirst().first == " " else { return "" }
            return isSmall ? letter.lowercased() : String(letter)
        }
        return ""
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
