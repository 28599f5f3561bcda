/// Floating-point numbers as text.
public enum DoubleText {
    /// Parses a text as the nearest double, independently of the system's locale.
    ///
    /// It accepts a sign, digits, a fraction and an exponent: `-1.5`, `.5`, `6e23`. It rejects spaces, `nan`, `inf` and
    /// hexadecimal numbers.
    ///
    /// - Parameter bytes: The whole text.
    /// - Returns: The nearest double, always finite.
    /// - Throws: ``InvalidText`` with the reason `not a number`, or `out of range` if the number is larger than any
    ///   double.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Double {
        guard isNumber(bytes) else { throw InvalidText("not a number") }
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let value = Double(text) else { throw InvalidText("not a number") }
        guard value.isFinite else { throw InvalidText("out of range (at most 1.8e308)") }
        return value
    }

    private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        skipSign(bytes, &index)
        var digits = skipDigits(bytes, &index)
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = skipDigits(bytes, &index)
            guard fraction > 0 else { return false }
            digits += fraction
        }
        guard digits > 0 else { return false }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            skipSign(bytes, &index)
            guard skipDigits(bytes, &index) > 0 else { return false }
        }
        return index == bytes.count
    }

    private static func skipSign(_ bytes: Span<UInt8>, _ index: inout Int) {
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
    }

    private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
        return index - start
    }
}
