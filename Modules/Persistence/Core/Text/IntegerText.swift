/// Whole numbers as text: digits with an optional sign.
public enum IntegerText {
    /// Parses a whole number of at most 18 digits with an optional minus sign.
    ///
    /// It returns `nil` for every other text, including other valid numbers.
    @inlinable
    @inline(__always)
    package static func plain(_ bytes: Span<UInt8>) -> Int64? {
        let isNegative = bytes.count > 1 && bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        guard bytes.count > 0, bytes.count - index <= 18 else { return nil }
        var value: Int64 = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        return isNegative ? -value : value
    }

    /// Returns a Boolean value that indicates whether a whole number is in the form that exports write.
    ///
    /// That form has no `+`, no leading zeros, and no `-0`.
    @inlinable
    @inline(__always)
    package static func isUsual(_ number: Span<UInt8>) -> Bool {
        let first = number[0]
        if first > UInt8(ascii: "0") { return true }
        if first == UInt8(ascii: "-") { return number.count > 1 && number[1] > UInt8(ascii: "0") }
        return first == UInt8(ascii: "0") && number.count == 1
    }

    /// Parses a text as a 64-bit whole number; allocates nothing unless it fails.
    ///
    /// It accepts leading zeros and a `+`. It rejects spaces, fractions and exponents.
    ///
    /// - Parameter bytes: The whole text.
    /// - Returns: The number.
    /// - Throws: ``InvalidText`` with the reason `not a whole number`, or `out of range` if the number needs more than
    ///   64 bits.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Int64 {
        if let value = plain(bytes) { return value }
        var index = 0
        var isNegative = false
        if bytes.count > 0, bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+") {
            isNegative = bytes[0] == UInt8(ascii: "-")
            index = 1
        }
        guard index < bytes.count else { throw InvalidText("not a whole number") }
        var value: Int64 = 0
        var isTooLarge = false
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { throw InvalidText("not a whole number") }
            let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) =
                isNegative
                ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
            isTooLarge = isTooLarge || productOverflow || sumOverflow
            value = sum
            index += 1
        }
        guard !isTooLarge else { throw InvalidText("out of range (\(Int64.min) to \(Int64.max))") }
        return value
    }
}
