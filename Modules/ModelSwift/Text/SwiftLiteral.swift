import Foundation
import StrataCore

/// Literals of Swift code.
enum SwiftLiteral {
    /// Returns the literal of a text; characters that are invisible or change the direction of text are escaped.
    static func text(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default: literal += isHidden(scalar) ? escape(scalar) : String(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns the literal of a regular expression, which is a raw string if that is shorter.
    static func pattern(_ pattern: String) -> String {
        guard pattern.unicodeScalars.contains(where: { $0 == "\\" || $0 == "\"" }),
            !pattern.unicodeScalars.contains(where: { $0.value < 0x20 || isHidden($0) })
        else { return text(pattern) }
        var marks = "#"
        while ["\"\(marks)", "\\\(marks)"].contains(where: { pattern.firstRange(of: $0) != nil }) { marks += "#" }
        return "\(marks)\"\(pattern)\"\(marks)"
    }

    /// Returns the lines of a comment for a text from a model.
    static func comment(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
            line.unicodeScalars.map { isHidden($0) ? escape($0) : String($0) }.joined()
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    /// Returns a Boolean value that indicates whether a character is a control character, a separator of lines, or a
    /// mark that changes the direction of text.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar.properties.isBidiControl || scalar == "\u{FEFF}"
        default: false
        }
    }

    /// Returns an integer with groups of three digits if it has more than four digits.
    static func integer(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        guard digits.count > 4 else { return String(number) }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped += "_" }
            grouped.append(digit)
        }
        return number < 0 ? "-\(grouped)" : grouped
    }
}
