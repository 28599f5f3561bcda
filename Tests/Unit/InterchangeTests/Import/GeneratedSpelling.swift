import Foundation
import StrataInterchange
import StrataPersistence
import StrataTestSupport

/// A text for a value and the expected outcome of its import.
struct GeneratedSpelling {
    /// The expected outcome of an import.
    enum Outcome: Equatable {
        /// The value is stored and exported as this text.
        case stored(String)
        /// The value is rejected with its location.
        case refused
        /// The value is stored or rejected, depending on whether it fits a `Double`.
        case storedOrRefused(String)
    }

    var text: String
    var outcome: Outcome
    /// A Boolean value that indicates whether a document contains the text without quotes.
    var isLiteral = false

    static func stored(_ text: String, as written: String) -> Self { Self(text: text, outcome: .stored(written)) }
    static func literal(_ text: String, as written: String) -> Self {
        Self(text: text, outcome: .stored(written), isLiteral: true)
    }
    static func refused(_ text: String) -> Self { Self(text: text, outcome: .refused) }
}

/// A generator of values of every type in the formats of files; it computes the expected output independently of the
/// readers.
struct SpellingGenerator {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[Int.random(in: list.indices, using: &generator)] }
    mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    // MARK: Whole numbers

    mutating func whole(_ range: ClosedRange<Int64>, group: String = "", isDocument: Bool) -> GeneratedSpelling {
        if chance(6) {
            return .refused(
                pick([
                    "", " 1", "1 ", "1.5", "0x10", "1e", "--1", "+-1", "+", "1_000", "٣", "1;000",
                    "99999999999999999999", "1,5", "nan",
                ]))
        }
        var value = Int64.random(in: range, using: &generator)
        if chance(2) {
            value = Int64.random(in: max(range.lowerBound, -99_999)...min(range.upperBound, 99_999), using: &generator)
        }
        if chance(8) { value = pick([range.lowerBound, range.upperBound, 0]) }
        if chance(10), range.upperBound < .max { return .refused("\(range.upperBound + Int64(number(1...1000)))") }
        if isDocument, chance(2) {
            // Whole numbers of a document may have a zero fraction or an exponent.
            let literal =
                value.magnitude < 1_000_000_000 && chance(2)
                ? pick(["\(value).0", "\(value)e0", "\(value).00E+0"]) : "\(value)"
            return .literal(literal, as: "\(value)")
        }
        let digits = String(value.magnitude)
        var text = group.isEmpty || chance(2) ? digits : grouped(digits, group)
        if group.isEmpty, chance(4) { text = String(repeating: "0", count: number(1...3)) + text }
        return .stored((value < 0 ? "-" : chance(5) ? "+" : "") + text, as: "\(value)")
    }

    func grouped(_ digits: String, _ group: String) -> String {
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += group }
            text.append(digit)
        }
        return text
    }

    // MARK: Numbers with a fraction

    mutating func double(decimal: String, group: String) -> GeneratedSpelling {
        if chance(8) {
            return .refused(pick(["", "inf", "nan", "0x1p3", "1e400", "1..5", "5.", "1 5", "1e+", "half", "1'5"]))
        }
        var value = Double(bitPattern: generator.next())
        if chance(2) { value = Double(number(-100_000_000...100_000_000)) / pick([1, 10, 1000, 1e6]) }
        if !value.isFinite { value = 0.1 }
        let written = "\(value + 0)"
        let parts = "\(value.magnitude)".split(separator: ".").map(String.init)
        guard parts.count == 2 else { return .stored("\(value)", as: written) }
        let first = chance(2) ? parts[0] : grouped(parts[0], group)
        return .stored((value.sign == .minus ? "-" : "") + first + decimal + parts[1], as: written)
    }

    mutating func price(decimal: String, group: String) -> GeneratedSpelling {
        if chance(8) {
            return .refused(
                pick(["", "1\(decimal)999", "0\(decimal)001", "99999999999999999999", "1\(decimal)", "x", "1e30"]))
        }
        let unscaled =
            chance(2)
            ? Int64.random(in: -9_999_999...9_999_999, using: &generator)
            : Int64.random(in: .min ... .max, using: &generator)
        let digits = String(unscaled.magnitude)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        let (first, cents) = (String(padded.dropLast(2)), String(padded.suffix(2)))
        let sign = unscaled < 0 ? "-" : ""
        let written = "\(sign)\(first).\(cents)"
        var fraction = decimal + cents
        if cents == "00", chance(2) { fraction = "" } else if cents.hasSuffix("0"), chance(2) { fraction.removeLast() }
        if !fraction.isEmpty, chance(6) { fraction += "0" }
        return .stored(sign + (chance(2) ? first : grouped(first, group)) + fraction, as: written)
    }

    // MARK: Boolean values, texts and bytes

    mutating func truth(words: (String, String)?, isDocument: Bool) -> GeneratedSpelling {
        let value = chance(2)
        if isDocument, chance(2) { return .literal("\(value)", as: "\(value)") }
        if let words {
            return chance(6)
                ? .refused(pick(["true", "\(words.0) ", words.0.uppercased() + "!", ""]))
                : .stored(value ? words.0 : words.1, as: "\(value)")
        }
        // Without words, a document's Boolean values are literals.
        if isDocument || chance(6) { return .refused(pick(["t", "2", "yess", "tru", "on", "", " yes", "-1", "ja"])) }
        let word = pick(value ? ["true", "yes", "1"] : ["false", "no", "0"])
        return .stored(pick([word, word.uppercased(), word.capitalized]), as: "\(value)")
    }

    mutating func text(isDocument: Bool) -> GeneratedSpelling {
        if chance(12) {
            // Text that breaks the rules of the format, on its own line.
            let broken =
                isDocument
                ? ["\"\\u0000\"", "\"\\ud800\"", "\"\\x\"", "\"a\tb\"", "\"a\"b\"", "\"\\u12G4\"", "a", "'a'"]
                : ["a\"b", "\"a\"b", "a\0b", "\" \"x"]
            return GeneratedSpelling(text: pick(broken), outcome: .refused, isLiteral: true)
        }
        let text = HostileText.random(using: &generator) ?? ""
        return .stored(text, as: text)
    }

    mutating func uuid() -> GeneratedSpelling {
        let digits = (0..<32).map { _ in pick(Array("0123456789ABCDEF")) }
        let text = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
        if chance(8) {
            return .refused(
                pick([
                    String(text.dropLast()), "{\(text)}", text.replacing("-", with: ""), text + "0",
                    "G" + text.dropFirst(),
                ]))
        }
        return .stored(chance(2) ? text.lowercased() : text, as: text)
    }

    mutating func bytes() -> GeneratedSpelling {
        let text = Data((0..<number(0...40)).map { _ in UInt8.random(in: 0...255, using: &generator) })
            .base64EncodedString()
        if chance(8) { return .refused(pick(["=", "A", "AB", "ABC", "AB=C", "A B=", "####", text + "?"])) }
        return .stored(text, as: text)
    }
}
