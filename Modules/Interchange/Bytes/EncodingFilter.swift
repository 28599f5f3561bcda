/// A filter that converts the bytes of an input from another encoding to UTF-8; invalid bytes become
/// ``TextEncoding/invalidMark``.
final class EncodingFilter: ByteFilter {
    private let base: ByteInput
    private let encoding: TextEncoding
    private let isLittle: Bool
    private var block: [UInt8]
    private var decoded: [UInt8] = []
    private var position = 0
    /// The first byte of a UTF-16 code unit whose second byte is in the next block; `nil` if there is none.
    private var halfUnit: UInt8?
    private var highSurrogate: UInt32?
    private var isEnded = false

    init(_ base: ByteInput, _ encoding: TextEncoding, isLittle: Bool) {
        self.base = base
        self.encoding = encoding
        self.isLittle = isLittle
        block = [UInt8](repeating: 0, count: base.blockSize)
    }

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        base.isCancelled = isCancelled
        while position >= decoded.count {
            guard !isEnded else { return 0 }
            decoded.removeAll(keepingCapacity: true)
            position = 0
            let count = try base.read(into: &block, at: 0)
            if count == 0 {
                isEnded = true
                if halfUnit != nil || highSurrogate != nil { decoded.append(TextEncoding.invalidMark) }
            } else {
                decode(count)
            }
        }
        let count = min(room, decoded.count - position)
        buffer.replaceSubrange(offset..<offset + count, with: decoded[position..<position + count])
        position += count
        return count
    }

    func checkUnchanged() throws(InterchangeError) { try base.checkUnchanged() }

    private func decode(_ count: Int) {
        switch encoding {
        case .utf8: decoded.append(contentsOf: block[..<count])
        case .latin1: for byte in block[..<count] { TextEncoding.append(UInt32(byte), to: &decoded) }
        case .windows1252:
            for byte in block[..<count] {
                if TextEncoding.isHole(byte) {
                    decoded.append(TextEncoding.invalidMark)
                } else {
                    TextEncoding.appendWindows1252(byte, to: &decoded)
                }
            }
        case .utf16, .utf16LittleEndian, .utf16BigEndian:
            for byte in block[..<count] {
                guard let first = halfUnit else {
                    halfUnit = byte
                    continue
                }
                halfUnit = nil
                let (low, high) = isLittle ? (first, byte) : (byte, first)
                append(unit: UInt32(high) << 8 | UInt32(low))
            }
        }
    }

    private func append(unit: UInt32) {
        if let high = highSurrogate {
            highSurrogate = nil
            if 0xDC00...0xDFFF ~= unit {
                return TextEncoding.append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &decoded)
            }
            decoded.append(TextEncoding.invalidMark)
        }
        if 0xD800...0xDBFF ~= unit { highSurrogate = unit } else { TextEncoding.append(unit, to: &decoded) }
    }
}
