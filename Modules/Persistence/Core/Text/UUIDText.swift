public import Foundation

/// UUIDs as text.
public enum UUIDText {
    /// Parses the text of a UUID: `9D6E1A2C-…`, 36 characters; case is ignored.
    ///
    /// - Parameter bytes: The whole text.
    /// - Returns: The UUID.
    /// - Throws: ``InvalidText`` with the reason `not a UUID` and the required form.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> UUID {
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard bytes.count == 36, let value = UUID(uuidString: text) else {
            throw InvalidText("not a UUID (8-4-4-4-12 hexadecimal digits)")
        }
        return value
    }
}
