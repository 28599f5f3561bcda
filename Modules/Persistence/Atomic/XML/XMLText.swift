import StrataCore

/// The characters that XML 1.0 allows in a file, and the character references for some of them.
enum XMLText {
    /// Returns a Boolean value that indicates whether XML 1.0 cannot represent a text at all.
    ///
    /// This is the case if the text contains U+FFFE, U+FFFF, or a control character other than tab, line feed and
    /// carriage return.
    static func needsBase64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for (index, byte) in bytes.enumerated() {
            if byte < 0x20 {
                if byte != 0x09, byte != 0x0A, byte != 0x0D { return true }
            } else if byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
                return true
            }
        }
        return false
    }

    /// Writes a text between two tags; characters that a reader would misinterpret or change are written as references.
    ///
    /// Line feeds are not replaced, so that a comparison of two files shows which lines of a text differ.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        write(bytes, to: &buffer) { byte in byte == 0x0D }
    }

    /// Writes the value of an attribute; tabs and line ends are written as references, because a reader would replace
    /// them by spaces.
    static func writeAttribute(_ text: String, to buffer: inout ByteBuffer) {
        var text = text
        text.withUTF8 { bytes in write(bytes, to: &buffer) { byte in byte < 0x20 || byte == 0x22 } }
    }

    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer, _ isReference: (UInt8) -> Bool
    ) {
        var (start, index) = (0, 0)
        func flush(_ buffer: inout ByteBuffer) {
            if start < index { buffer.append(UnsafeBufferPointer(rebasing: bytes[start..<index])) }
        }
        while index < bytes.count {
            let byte = bytes[index]
            var length = 1
            let reference: String?
            switch byte {
            case UInt8(ascii: "<"): reference = "&lt;"
            case UInt8(ascii: ">"): reference = "&gt;"
            case UInt8(ascii: "&"): reference = "&amp;"
            case 0x7F: reference = "&#127;"
            // Editors and terminals interpret the control characters U+0080 to U+009F differently.
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0:
                reference = "&#\(bytes[index + 1]);"
                length = 2
            default: reference = isReference(byte) ? "&#\(byte);" : nil
            }
            if let reference {
                flush(&buffer)
                buffer.append(reference)
                start = index + length
            }
            index += length
        }
        flush(&buffer)
    }

    // MARK: Reading

    /// Returns the offset of the first byte that is not valid UTF-8 or belongs to a character that XML forbids; `nil`
    /// if there is none.
    static func firstIllegal(_ bytes: [UInt8]) -> Int? {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else { return index }
                index += 1
                continue
            }
            guard let length = length(of: bytes, at: index) else { return index }
            index += length
        }
        return nil
    }

    /// Returns the count of bytes of a multibyte character, or `nil` if the bytes are no valid UTF-8.
    private static func length(of bytes: [UInt8], at index: Int) -> Int? {
        let first = bytes[index]
        let (length, lowest, highest): (Int, UInt8, UInt8)
        switch first {
        case 0xC2...0xDF: (length, lowest, highest) = (2, 0x80, 0xBF)
        case 0xE0: (length, lowest, highest) = (3, 0xA0, 0xBF)
        case 0xED: (length, lowest, highest) = (3, 0x80, 0x9F)
        case 0xE1...0xEF: (length, lowest, highest) = (3, 0x80, 0xBF)
        case 0xF0: (length, lowest, highest) = (4, 0x90, 0xBF)
        case 0xF1...0xF3: (length, lowest, highest) = (4, 0x80, 0xBF)
        case 0xF4: (length, lowest, highest) = (4, 0x80, 0x8F)
        default: return nil
        }
        guard index + length <= bytes.count, (lowest...highest).contains(bytes[index + 1]) else { return nil }
        for place in index + 2..<index + length where bytes[place] & 0xC0 != 0x80 { return nil }
        let isNone = first == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
        return isNone ? nil : length
    }

    /// Returns a Boolean value that indicates whether XML allows a reference to a character.
    static func isLegal(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
