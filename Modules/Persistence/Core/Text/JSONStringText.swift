/// The text of strings in JSON documents.
package enum JSONStringText {
    /// Returns a Boolean value that indicates whether RFC 8259 requires an escape sequence for a byte.
    package static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes the escape sequence of a byte.
    package static func escape(_ byte: UInt8, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: buffer.append(UInt8(ascii: "b"))
        case 0x09: buffer.append(UInt8(ascii: "t"))
        case 0x0A: buffer.append(UInt8(ascii: "n"))
        case 0x0C: buffer.append(UInt8(ascii: "f"))
        case 0x0D: buffer.append(UInt8(ascii: "r"))
        case 0..<0x20:
            buffer.append((byte < 0x10 ? "u000" : "u001") + String(byte & 0x0F, radix: 16, uppercase: true))
        default: buffer.append(byte)
        }
    }

    /// Writes a text in quotes.
    package static func write(_ text: String, to buffer: inout ByteBuffer) {
        var text = text
        buffer.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            for byte in utf8 { isEscaped(byte) ? escape(byte, to: &buffer) : buffer.append(byte) }
        }
        buffer.append(UInt8(ascii: "\""))
    }
}
