/// The rules of UTF-8 (RFC 3629).
enum UTF8Text {
    /// Returns a Boolean value that indicates whether the bytes are well-formed UTF-8.
    ///
    /// Stray or missing continuation bytes, overlong forms, surrogates, and values above U+10FFFF are invalid.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length: Int
            // The range of the second byte excludes overlong forms, surrogates and values that are too large.
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return false
            }
            guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return false }
            for position in index + 2..<index + length where bytes[position] & 0xC0 != 0x80 { return false }
            index += length
        }
        return true
    }
}
