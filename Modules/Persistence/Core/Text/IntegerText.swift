/// Whole numbers as text: digits with an optional sign.
public enum IntegerText {
    /// A whole number of at most 18 digits and perhaps a minus; nil for everything else, be it a number or not.
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

    /// Returns whether a whole number is written as an export writes it: no `+`, no zeros in front, no `-0`.
    @inlinable
    @inline(__always)
    package static func isUsual(_ number: Span<UInt8>) -> Bool {
        let first = number[0]
        if first > UInt8(ascii: "0") { return true }
        if first == UInt8(ascii: "-") { return number.count > 1 && number[1] > UInt8(ascii: "0") }
        return first == UInt8(ascii: "0") && number.count == 1
    }

    /// Reads a whole number; allocates nothing unless it fails.
    ///
    /// Zeros in front and a `+` are allowed, spaces, fractions and exponents are not.
    ///
    /// - Parameter bytes: The whole text.
    /// - Returns: The number.
    /// - Throws: `not a whole number`, or `out of range` when it needs more than 64 bits.
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
