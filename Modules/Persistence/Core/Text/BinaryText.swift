public import Foundation

/// Binary data as text: base64 (RFC 4648, section 4), padded, without line breaks.
public enum BinaryText {
    /// Reads base64.
    ///
    /// - Parameter bytes: The whole text; nothing is no data.
    /// - Returns: The data.
    /// - Throws: `not base64` with the rule.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Data {
        let text = bytes.withUnsafeBufferPointer { Data($0) }
        guard let value = Data(base64Encoded: text) else {
            throw InvalidText("not base64 (A-Z, a-z, 0-9, + and /, padded with = to a multiple of 4)")
        }
        return value
    }
}
