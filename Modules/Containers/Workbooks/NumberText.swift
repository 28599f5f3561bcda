/// The texts of the numbers in cells.
enum NumberText {
    /// The count of decimal digits that each double preserves.
    static let exactDigits = 15

    /// Appends the shortest text of a number; `nil` if the text is not a number.
    ///
    /// - Parameters:
    ///   - text: The text of the number in the document.
    ///   - bytes: The bytes to which the text is appended.
    /// - Returns: A Boolean value that indicates whether the text has more than 15 digits.
    static func append(_ text: [UInt8], to bytes: inout [UInt8]) -> Bool? {
        if isShortest(text.span) {
            bytes += text
            return false
        }
        guard let value = value(text) else { return nil }
        // Whole numbers up to 2^53 are exact.
        if let whole = Int64(exactly: value), abs(value) <= 9_007_199_254_740_992 {
            let text = String(whole)
            bytes += text.utf8
            return text.utf8.count(where: isDigit) > exactDigits
        }
        let text = "\(value)"
        bytes += text.utf8
        return text.prefix { $0 != "e" }.utf8.drop { $0 == 0x30 || $0 == 0x2E || $0 == 0x2D }.count(where: isDigit)
            > exactDigits
    }

    /// Returns a finite number; `nil` if the text is none.
    static func value(_ text: [UInt8]) -> Double? {
        // The initializer also accepts hexadecimal numbers, infinity and "nan".
        guard text.allSatisfy({ isDigit($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Returns a Boolean value that indicates whether a text is the shortest text of its number.
    ///
    /// That is certain for at most 15 digits without leading zeros, and without zeros at the end of a fraction.
    private static func isShortest(_ text: Span<UInt8>) -> Bool {
        var index = !text.isEmpty && text[0] == UInt8(ascii: "-") ? 1 : 0
        let start = index
        var (hasPoint, digits) = (false, 0)
        while index < text.count {
            let byte = text[index]
            if isDigit(byte) {
                digits += 1
            } else {
                guard byte == UInt8(ascii: "."), !hasPoint, digits > 0, index + 1 < text.count else { return false }
                hasPoint = true
            }
            index += 1
        }
        guard digits > 0, digits <= exactDigits else { return false }
        let isZero = text[start] == 0x30
        if isZero, text.count > start + 1 {
            // Small fractions may be written with an exponent.
            guard text[start + 1] == 0x2E, text.count > start + 2, text[start + 2] != 0x30 else { return false }
        }
        return hasPoint ? text[text.count - 1] != 0x30 : start == 0 || !isZero
    }
}
