/// A decimal number: an integer times a power of ten.
///
/// Edges of bins, means and medians are stored in this form, because readers see decimal numbers: `0.1 * 3` is `0.3`.
///
/// Two values with different exponents are different, even if they are the same number; compare ``normalized`` values.
struct DecimalNumber: Equatable {
    /// The integer that is multiplied by the power of ten.
    let coefficient: Int128
    /// The exponent of the power of ten.
    let exponent: Int

    /// Creates a number from its coefficient and its exponent.
    init(_ coefficient: Int128, exponent: Int) {
        self.coefficient = coefficient
        self.exponent = exponent
    }

    /// Creates the shortest decimal number that converts back to a finite double.
    init(_ number: Double) {
        var coefficient: Int128 = 0
        var exponent = 0
        var isFraction = false
        var text = number.description[...]
        if let mark = text.firstIndex(of: "e") {
            exponent = Int(text[text.index(after: mark)...]) ?? 0
            text = text[..<mark]
        }
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") { isFraction = true }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { continue }
            coefficient = coefficient * 10 + Int128(digit)
            if isFraction { exponent -= 1 }
        }
        self.init(number < 0 ? -coefficient : coefficient, exponent: exponent)
    }

    /// Returns the number rounded to at most a given number of digits, at least 1, half away from zero.
    func rounded(toDigits digits: Int) -> DecimalNumber {
        var count = 0
        var rest = coefficient.magnitude
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count > digits ? rounded(toExponent: exponent + count - digits) : self
    }

    /// Returns the number rounded to a multiple of a greater power of ten, half away from zero.
    func rounded(toExponent wanted: Int) -> DecimalNumber {
        guard wanted > exponent else { return self }
        let magnitude = coefficient.magnitude
        var unit: UInt128 = 1
        for _ in exponent..<wanted {
            // All digits are after the last retained digit.
            if unit > magnitude { return DecimalNumber(0, exponent: wanted) }
            unit *= 10
        }
        let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: unit)
        let rounded = Int128(remainder >= unit - remainder ? quotient + 1 : quotient)
        return DecimalNumber(coefficient < 0 ? -rounded : rounded, exponent: wanted)
    }

    /// The equal number without trailing zeros in its coefficient.
    var normalized: DecimalNumber {
        guard coefficient != 0 else { return DecimalNumber(0, exponent: 0) }
        var coefficient = coefficient
        var exponent = exponent
        while coefficient % 10 == 0 {
            coefficient /= 10
            exponent += 1
        }
        return DecimalNumber(coefficient, exponent: exponent)
    }
}
