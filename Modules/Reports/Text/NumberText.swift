/// The format of numbers for readers: digit groups of three, a minus sign, and powers of ten instead of many zeros.
///
/// The texts are English and independent of the locale, so that the same store produces the same page everywhere. The
/// minus sign is U+2212, not a hyphen.
enum NumberText {
    /// The maximum numbers of digits before the point and of zeros after it; other numbers use a power of ten.
    private static let longestWhole = 19
    private static let mostLeadingZeros = 6

    /// Returns a count, such as `1,234,567`.
    static func count(_ number: Int) -> String { grouped(String(number.magnitude), isNegative: number < 0) }

    /// Returns a count with its noun, such as `1 row` and `1,234 rows`.
    ///
    /// - Parameters:
    ///   - number: The count.
    ///   - one: The noun in the singular.
    ///   - many: The noun in the plural; if it is `nil`, the singular with an `s`.
    /// - Returns: The text.
    static func count(_ number: Int, singular one: String, plural many: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// Returns a part of a whole in percent, which is 0 % or 100 % only if that is exact.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0 %" }
        guard part < whole else { return "100 %" }
        let tenths = (Int128(part) * 2000 + Int128(whole)) / (2 * Int128(whole))
        if tenths == 0 { return "< 0.1 %" }
        if tenths == 1000 { return "> 99.9 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// Returns a number with all of its digits, and with at least a given number of fraction digits, as for prices.
    ///
    /// A number with more than 19 digits before the point, or more than 6 zeros after it, is written with a power of
    /// ten.
    ///
    /// - Parameters:
    ///   - number: The number; its trailing zeros are not written.
    ///   - fractionDigits: The minimum number of fraction digits; a power of ten ignores it.
    /// - Returns: The text.
    static func number(_ number: DecimalNumber, fractionDigits: Int = 0) -> String {
        let value = number.normalized
        let digits = String(value.coefficient.magnitude)
        let point = digits.utf8.count + value.exponent
        if point > longestWhole || point < -mostLeadingZeros { return scientific(value, digits) }
        var whole = "0"
        var fraction = ""
        if value.exponent >= 0 {
            whole = digits + String(repeating: "0", count: value.exponent)
        } else if point > 0 {
            whole = String(digits.prefix(point))
            fraction = String(digits.dropFirst(point))
        } else {
            fraction = String(repeating: "0", count: -point) + digits
        }
        fraction += String(repeating: "0", count: max(0, fractionDigits - fraction.utf8.count))
        return grouped(whole, isNegative: value.coefficient < 0) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Returns a number with one digit before the point and a power of ten, such as `1.5 × 10²¹`.
    private static func scientific(_ number: DecimalNumber, _ digits: String) -> String {
        let fraction = digits.dropFirst()
        let sign = number.coefficient < 0 ? "\u{2212}" : ""
        let exponent = number.exponent + digits.utf8.count - 1
        return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : "." + fraction) × 10\(superscript(exponent))"
    }

    /// Returns an exponent in superscript digits.
    private static func superscript(_ number: Int) -> String {
        let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
        let text = String(number.magnitude).utf8.map { digits[Int($0 - UInt8(ascii: "0"))] }
        return (number < 0 ? "⁻" : "") + String(text)
    }

    /// Returns the digits of a whole number in groups of three, with a sign.
    private static func grouped(_ digits: String, isNegative: Bool) -> String {
        var text = isNegative ? "\u{2212}" : ""
        for (place, digit) in digits.enumerated() {
            let rest = digits.utf8.count - place
            if place > 0, rest.isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
