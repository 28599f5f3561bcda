public import Foundation

extension UUIDText {
    /// Appends the 36 characters of the UUID, with uppercase letters.
    ///
    /// - Parameters:
    ///   - value: The UUID.
    ///   - bytes: The array to which the ASCII text is appended.
    public static func append(_ value: UUID, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    package static func write(_ value: UUID, to buffer: inout ByteBuffer) {
        buffer.append(value.uuidString)
    }

    /// Returns a Boolean value that indicates whether the bytes are a UUID in its written form.
    ///
    /// That form has 36 characters and uppercase letters.
    package static func isCanonical(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default: guard byte &- UInt8(ascii: "0") <= 9 || byte &- UInt8(ascii: "A") <= 5 else { return false }
            }
        }
        return true
    }
}
