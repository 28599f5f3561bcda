import StrataCore

/// A generator of entity and property names for a model, from arbitrary texts in files.
///
/// The model file stores the generated names as `strata:name`. The same texts always result in the same names, because
/// the names are parts of stores and programs. Therefore a change of the algorithm must not change the names of
/// existing files without `strata:name`.
///
/// Names are unique regardless of case, because columns of SQL tables are. Reserve all names in the file before you
/// generate others; otherwise a generated name may be the same as a later name of the file.
package struct ModelNames {
    /// The used names, converted to lowercase.
    private var taken: Set<String>
    /// The last number that was appended to each generated name; all smaller numbers are used for that name, too.
    private var numbers: [String: Int] = [:]

    /// - Parameter reserved: The names that the generator must not return.
    init(reserved: Set<String> = []) {
        taken = reserved
    }

    /// Reserves a name, so that the generator does not return it.
    ///
    /// - Returns: A Boolean value that indicates whether the name was unused before.
    mutating func take(_ name: String) -> Bool { taken.insert(name.lowercased()).inserted }

    /// Reserves a name that the model file contains.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - owner: A description of the element with the name, for the error message.
    /// - Returns: The reason why the name is invalid, or `nil` if it was reserved.
    mutating func refusal(of name: String, _ owner: String) -> String? {
        guard let first = name.utf8.first, Self.isLetter(first),
            name.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "_") })
        else { return "“\(name)” is not a valid name: use letters, digits and _, and begin with a letter" }
        return take(name) ? nil : "“\(name)” is reserved, or \(owner)"
    }

    /// Returns an unused name for a text: `price (EUR)` becomes `priceEUR`, and `Straße` becomes `Strasse`.
    ///
    /// - Parameters:
    ///   - text: The text in the file.
    ///   - isEntity: A Boolean value that indicates whether the result is an entity's name, which begins with a capital
    ///     letter.
    ///   - otherwise: The name to use if the text has no usable letters or digits, such as a text in Chinese.
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

    /// Returns the letters and digits of a text as one word; a text that is already a word remains unchanged.
    ///
    /// A text of only ASCII letters, digits and `_` is a word, except for underscores at its beginning, which are
    /// removed. In another text, each character that has no ASCII letter or digit ends a part; the next part begins
    /// with a capital letter.
    private static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }) {
            return String(text.drop { $0 == "_" })
        }
        var word = ""
        var beginsPart = false
        for scalar in text.unicodeScalars {
            let letters = letters(of: scalar)
            guard !letters.isEmpty else {
                // An apostrophe does not separate words.
                beginsPart = beginsPart || (!word.isEmpty && scalar != "'" && scalar != "’")
                continue
            }
            word += beginsPart ? letters.prefix(1).uppercased() + letters.dropFirst() : letters
            beginsPart = false
        }
        return word
    }

    /// Returns the words of any text in ASCII letters and digits, without accents.
    ///
    /// Each character that has no ASCII letter or digit separates words, except for an apostrophe.
    package static func words(of text: String) -> [String] {
        var words = [""]
        for scalar in text.unicodeScalars {
            let letters = letters(of: scalar)
            if !letters.isEmpty {
                words[words.count - 1] += letters
            } else if scalar != "'", scalar != "’" {
                words.append("")
            }
        }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the ASCII form of a character, without its accents; empty if it is neither a letter nor a digit.
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
        // For example, Unicode's name of ö is LATIN SMALL LETTER O WITH DIAERESIS.
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
