/// The encodings in which text files are read.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "UTF-8"
    /// UTF-16, big-endian or little-endian according to its byte order mark.
    ///
    /// If there is no byte order mark, the positions of zero bytes in the first characters determine the byte order. If
    /// there are no zero bytes, the byte order is little-endian, as in files from Windows.
    case utf16 = "UTF-16"
    /// UTF-16 little-endian, with or without a byte order mark.
    case utf16LittleEndian = "UTF-16LE"
    /// UTF-16 big-endian, with or without a byte order mark.
    case utf16BigEndian = "UTF-16BE"
    /// ISO 8859-1: every byte is a character.
    case latin1 = "Latin-1"
    /// Windows-1252 according to the WHATWG index; each of its five unassigned bytes is an error.
    case windows1252 = "Windows-1252"

    /// Creates the encoding with a name, ignoring case and dashes; returns `nil` if the name is unknown.
    public init?(name: String) {
        switch NameMatching.folded(name) {
        case "utf8": self = .utf8
        case "utf16": self = .utf16
        case "utf16le": self = .utf16LittleEndian
        case "utf16be": self = .utf16BigEndian
        case "latin1", "iso88591": self = .latin1
        case "windows1252", "cp1252": self = .windows1252
        default: return nil
        }
    }

    /// The characters for the bytes 0x80 to 0x9F in Windows-1252; 0 for an unassigned byte.
    private static let upperControls: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// A byte that occurs in no UTF-8 text.
    ///
    /// It replaces bytes that are invalid in their encoding, so that the reader of the UTF-8 reports an error with the
    /// location.
    static let invalidMark: UInt8 = 0xFF

    /// Appends a byte of Windows-1252 as UTF-8; an unassigned byte becomes U+FFFD.
    static func appendWindows1252(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard 0x80...0x9F ~= byte else { return append(UInt32(byte), to: &bytes) }
        let scalar = upperControls[Int(byte - 0x80)]
        append(scalar == 0 ? 0xFFFD : UInt32(scalar), to: &bytes)
    }

    static func isHole(_ byte: UInt8) -> Bool { 0x80...0x9F ~= byte && upperControls[Int(byte - 0x80)] == 0 }

    /// Appends a Unicode scalar as UTF-8.
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        guard scalar >= 0x80 else { return bytes.append(UInt8(scalar)) }
        guard let scalar = Unicode.Scalar(scalar), let encoded = UTF8.encode(scalar) else {
            return bytes.append(invalidMark)
        }
        bytes.append(contentsOf: encoded)
    }
}

extension ByteInput {
    /// Returns an input that contains the text of this input in UTF-8.
    ///
    /// - Parameter encoding: The encoding of this input. If it is `nil`, UTF-16 is detected by its byte order mark or
    ///   by zeros in every other byte; otherwise the encoding is UTF-8.
    /// - Returns: This input if it is already UTF-8, or an input that converts the bytes of this input.
    /// - Throws: ``InterchangeError/Code/malformed`` for a byte order mark of UTF-32 or one that contradicts the
    ///   encoding; ``InterchangeError`` if the input cannot be read.
    func decoded(from encoding: TextEncoding?) throws(InterchangeError) -> ByteInput {
        let (found, isLittle) = try found(encoding)
        guard found != .utf8 else { return self }
        let decoder = EncodingFilter(self, found, isLittle: isLittle)
        let input = ByteInput(decoder, name: name, byteCount: byteCount, blockSize: blockSize)
        input.isCancelled = isCancelled
        input.encodingName = found.rawValue
        return input
    }

    private func found(_ encoding: TextEncoding?) throws(InterchangeError) -> (TextEncoding, isLittle: Bool) {
        if encoding == .latin1 || encoding == .windows1252 { return (encoding ?? .utf8, false) }
        let start = try peek(4)
        if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] {
            throw InterchangeError(
                .malformed, source: name,
                message: "the file has a byte order mark of UTF-32, which is not supported; save the file as UTF-8")
        }
        let isMarkedLittle = start.starts(with: [0xFF, 0xFE])
        let isMarkedBig = start.starts(with: [0xFE, 0xFF])
        if [.utf8, .utf16LittleEndian].contains(encoding) && isMarkedBig
            || [.utf8, .utf16BigEndian].contains(encoding) && isMarkedLittle
        {
            throw InterchangeError(
                .malformed, source: name,
                message:
                    "the file has a byte order mark of UTF-16\(isMarkedBig ? "BE" : "LE"), which contradicts the given "
                    + "encoding")
        }
        switch encoding {
        case .utf16LittleEndian: return (.utf16LittleEndian, true)
        case .utf16BigEndian: return (.utf16BigEndian, false)
        case .utf8: return (.utf8, false)
        default: break
        }
        if isMarkedLittle || isMarkedBig { return (.utf16, isMarkedLittle) }
        // ASCII text in UTF-16 has a zero byte in each character; UTF-8 text has none.
        let zeros = start.map { $0 == 0 }
        if zeros == [false, true, false, true] { return (.utf16LittleEndian, true) }
        if zeros == [true, false, true, false] { return (.utf16BigEndian, false) }
        guard encoding == .utf16 else { return (.utf8, false) }
        let isLittle = zeros.first != true
        return (isLittle ? .utf16LittleEndian : .utf16BigEndian, isLittle)
    }
}
