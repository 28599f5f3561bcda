public import Foundation

extension UUIDText {
    /// Appends the UUID's 36 characters, letters in upper case.
    ///
    /// - Parameters:
    ///   - value: Any UUID.
    ///   - bytes: The ASCII text is added at the end.
    public static func append(_ value: UUID, to bytes: inout [UInt8]) {
        ByteBuffer.append(to: &bytes) { write(value, to: &$0) }
    }

    package static func write(_ value: UUID, to buffer: inout ByteBuffer) {
        buffer.append(value.uuidString)
    }

    /// Whether the bytes are a UUID as it is written: 36 characters, letters in upper case.
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
