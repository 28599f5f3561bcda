public import Foundation

/// Binary data as text: base64 (RFC 4648, section 4), padded, without line breaks.
public enum BinaryText {
    /// Parses canonical base64, and returns the data that it represents.
    ///
    /// Unused bits must be zero, so that different texts never represent the same data.
    ///
    /// - Parameter bytes: The whole text; an empty text represents empty data.
    /// - Returns: The data.
    /// - Throws: ``InvalidText`` with the reason `not base64` and the broken rule.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Data {
        let text = bytes.withUnsafeBufferPointer { Data($0) }
        guard hasForm(bytes), let value = Data(base64Encoded: text) else {
            throw InvalidText("not base64 (A-Z, a-z, 0-9, + and /, padded with = to a multiple of 4)")
        }
        return value
    }

    /// Returns a Boolean value that indicates whether a text is canonical base64.
    ///
    /// Foundation also accepts padding in the middle of a text.
    private static func hasForm(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count.isMultiple(of: 4) else { return false }
        var end = bytes.count
        while end > 0, bytes.count - end < 2, bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
        var last: UInt8 = 0
        for index in 0..<end {
            guard let bits = bits(of: bytes[index]) else { return false }
            last = bits
        }
        // One padding character implies two unused bits; two imply four.
        return last & ((1 << (2 * UInt8(bytes.count - end))) - 1) == 0
    }

    private static func bits(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
