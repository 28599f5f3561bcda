import StrataCore

/// The statistics of the numbers in one column.
struct NumericColumnStatistics {
    /// The maximum count of digits that always fits 64 bits.
    private static let mostDigits = 18

    private var isEmpty = true
    private var wholeDigits = 0
    private var scale = 0
    private var areDecimals = true
    private var areDoubles = true

    /// Decimals take precedence over doubles, because they are exact and have a fixed scale.
    var finding: NumberSurvey.Finding {
        if isEmpty { return .nothing }
        if areDecimals, wholeDigits + scale <= Self.mostDigits { return .decimals(scale: UInt8(scale)) }
        return areDoubles ? .doubles : .texts
    }

    /// Adds a text of the column; a text that is not a number is ignored.
    mutating func note(_ text: String) {
        let bytes = Array(text.utf8)
        guard let number = Self.parts(bytes) else { return }
        isEmpty = false
        if number.isOdd {
            areDecimals = false
        } else {
            wholeDigits = max(wholeDigits, number.whole)
            scale = max(scale, number.fraction)
        }
        if areDoubles { areDoubles = Self.isShortest(bytes) }
    }

    /// Returns the counts of digits before and after the point, and whether a decimal is never written in this form.
    ///
    /// The result is `nil` if the text is not a number.
    private static func parts(_ bytes: [UInt8]) -> (whole: Int, fraction: Int, isOdd: Bool)? {
        var rest = bytes[...]
        func digits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits
        }
        func skip(_ allowed: String) -> Bool {
            guard let first = rest.first, allowed.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        let isNegative = rest.first == UInt8(ascii: "-")
        let isPositive = !isNegative && rest.first == UInt8(ascii: "+")
        _ = skip("+-")
        let whole = digits()
        let hasPoint = skip(".")
        let fraction = hasPoint ? digits() : []
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let hasExponent = skip("eE")
        if hasExponent {
            _ = skip("+-")
            guard !digits().isEmpty else { return nil }
        }
        guard rest.isEmpty else { return nil }
        let zero = UInt8(ascii: "0")
        let significant = whole.drop { $0 == zero }
        // A decimal is never written in this form, so that writing the value would change the text.
        let isOdd =
            hasExponent || isPositive || whole.isEmpty || (hasPoint && fraction.isEmpty)
            || (whole.count > 1 && whole.first == zero)
            || (isNegative && significant.isEmpty && fraction.allSatisfy { $0 == zero })
        return (significant.count, fraction.count, isOdd)
    }

    /// Returns a Boolean value that indicates whether a text equals the text that Strata writes for its double.
    private static func isShortest(_ bytes: [UInt8]) -> Bool {
        var written: [UInt8] = []
        do throws(InvalidText) {
            try DoubleText.append(try DoubleText.parse(bytes.span), to: &written)
        } catch {
            return false
        }
        return written == bytes
    }
}
