/// The encodings in which text files are read.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "UTF-8"
    /// UTF-16 with a byte order mark; without one, the big end comes first (RFC 2781).
    case utf16 = "UTF-16"
    /// ISO 8859-1: every byte is a character.
    case latin1 = "Latin-1"
    /// Windows-1252, by the WHATWG's index but for its five holes, which are errors.
    case windows1252 = "Windows-1252"

    /// The encoding of a name, whatever its case and its dashes.
    public init?(name: String) {
        switch NameMatching.folded(name) {
        case "utf8": self = .utf8
        case "utf16": self = .utf16
        case "latin1", "iso88591": self = .latin1
        case "windows1252", "cp1252": self = .windows1252
        default: return nil
        }
    }

    /// What bytes 0x80 to 0x9F are in Windows-1252; 0 where they are nothing.
    private static let upperControls: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// A byte that is in no UTF-8 text: it stands where the bytes are no text of their encoding, so that the reader finds it with its place.
    static let invalidMark: UInt8 = 0xFF

    /// Appends a Windows-1252 byte as UTF-8; what is nothing there becomes U+FFFD.
    static func appendWindows1252(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard 0x80...0x9F ~= byte else { return append(UInt32(byte), to: &bytes) }
        let scalar = upperControls[Int(byte - 0x80)]
        append(scalar == 0 ? 0xFFFD : UInt32(scalar), to: &bytes)
    }

    static func isHole(_ byte: UInt8) -> Bool { 0x80...0x9F ~= byte && upperControls[Int(byte - 0x80)] == 0 }

    /// Appends a scalar as UTF-8.
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        guard scalar >= 0x80 else { return bytes.append(UInt8(scalar)) }
        guard let scalar = Unicode.Scalar(scalar), let encoded = UTF8.encode(scalar) else {
            return bytes.append(invalidMark)
        }
        bytes.append(contentsOf: encoded)
    }
}

extension ByteInput {
    /// The same text in UTF-8.
    ///
    /// - Parameter encoding: The encoding; nil for UTF-8, or UTF-16 where the input begins with its byte order mark.
    /// - Returns: This input, or one that takes its bytes.
    /// - Throws: What reading throws.
    func decoded(from encoding: TextEncoding?) throws(InterchangeError) -> ByteInput {
        var encoding = encoding ?? .utf8
        var isLittle = false
        if encoding == .utf8 || encoding == .utf16 {
            let mark = try peek(2)
            if mark == [0xFF, 0xFE] { (encoding, isLittle) = (.utf16, true) }
            if mark == [0xFE, 0xFF] { encoding = .utf16 }
        }
        guard encoding != .utf8 else { return self }
        let decoder = EncodingFilter(self, encoding, isLittle: isLittle)
        let input = ByteInput(decoder, name: name, byteCount: byteCount, blockSize: blockSize)
        input.isCancelled = isCancelled
        input.encodingName = encoding.rawValue
        return input
    }
}
