/// A compression in the format DEFLATE (RFC 1951) with its fixed codes.
///
/// Repeated texts are found with one table of the last position of each group of three bytes. The result is larger than
/// that of other programs, but the same bytes always have the same result.
struct Deflate {
    private static let windowSize = 32 * 1024
    private static let hashBits = 15
    /// A prime near the golden ratio of 2^32, which distributes the hashes evenly.
    private static let hashFactor: UInt32 = 2_654_435_761
    private static let shortestMatch = 4
    private static let longestMatch = 258
    /// The count of bytes that are compressed at a time; later bytes improve the matches at the end.
    private static let blockSize = 64 * 1024

    /// The bytes that are not compressed yet, after at most one window of earlier bytes.
    private var buffer: [UInt8] = []
    private var position = 0
    /// The count of bytes that were removed from the beginning of the buffer.
    private var removed = 0
    /// For each hash, the position after the beginning of the data, plus 1; 0 if there is none.
    private var heads = [Int](repeating: 0, count: 1 << hashBits)
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private var isBegun = false

    /// The code and its length for each literal and length symbol, with the bits in the order of the stream.
    private static let literalCodes: [(code: UInt16, length: UInt8)] = (0..<288).map { symbol in
        switch symbol {
        case 0..<144: (reversed(0x30 + symbol, 8), 8)
        case 144..<256: (reversed(0x190 + symbol - 144, 9), 9)
        case 256..<280: (reversed(symbol - 256, 7), 7)
        default: (reversed(0xC0 + symbol - 280, 8), 8)
        }
    }

    private static func reversed(_ code: Int, _ length: Int) -> UInt16 {
        (0..<length).reduce(0) { $0 | UInt16(code >> $1 & 1) << UInt16(length - 1 - $1) }
    }

    /// Adds bytes and returns compressed bytes, of which there may be none yet.
    mutating func compress(_ bytes: [UInt8]) -> [UInt8] {
        buffer += bytes
        guard buffer.count - position >= Self.blockSize else { return [] }
        run(upTo: buffer.count - Self.longestMatch)
        return takeOutput()
    }

    /// Returns the last compressed bytes.
    mutating func finish() -> [UInt8] {
        run(upTo: buffer.count)
        append(symbol: 256)
        if bitCount > 0 {
            output.append(UInt8(truncatingIfNeeded: bits))
            (bits, bitCount) = (0, 0)
        }
        return takeOutput()
    }

    private mutating func takeOutput() -> [UInt8] {
        let excess = position - Self.windowSize
        if excess > 0 {
            buffer.removeFirst(excess)
            position -= excess
            removed += excess
        }
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    private mutating func append(_ value: Int, _ count: Int) {
        bits |= UInt64(truncatingIfNeeded: value) << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    private mutating func append(symbol: Int) {
        if !isBegun {
            // The only block is the last one, and has the fixed codes.
            isBegun = true
            append(0b011, 3)
        }
        let (code, length) = Self.literalCodes[symbol]
        append(Int(code), Int(length))
    }

    private mutating func run(upTo end: Int) {
        while position < end {
            guard position + Self.shortestMatch <= buffer.count else {
                append(symbol: Int(buffer[position]))
                position += 1
                continue
            }
            let place = removed + position
            let candidate = heads[hash(at: position)] - 1
            heads[hash(at: position)] = place + 1
            let distance = place - candidate
            let length = candidate >= removed && distance <= Self.windowSize ? matchLength(distance) : 0
            guard length >= Self.shortestMatch else {
                append(symbol: Int(buffer[position]))
                position += 1
                continue
            }
            appendMatch(length, distance)
            position += length
        }
    }

    private func hash(at index: Int) -> Int {
        let word =
            UInt32(buffer[index]) | UInt32(buffer[index + 1]) << 8 | UInt32(buffer[index + 2]) << 16
            | UInt32(buffer[index + 3]) << 24
        return Int((word &* Self.hashFactor) >> UInt32(32 - Self.hashBits))
    }

    private func matchLength(_ distance: Int) -> Int {
        let most = min(Self.longestMatch, buffer.count - position)
        var length = 0
        while length < most, buffer[position + length] == buffer[position + length - distance] { length += 1 }
        return length
    }

    private mutating func appendMatch(_ length: Int, _ distance: Int) {
        if length == Self.longestMatch {
            append(symbol: 285)
        } else {
            // Each further bit of the length has four symbols.
            let value = length - 3
            let extra = value < 8 ? 0 : Int.bitWidth - 3 - value.leadingZeroBitCount
            append(symbol: 257 + extra * 4 + value >> extra)
            append(value & (1 << extra - 1), extra)
        }
        let value = distance - 1
        let extra = value < 4 ? 0 : Int.bitWidth - 2 - value.leadingZeroBitCount
        append(Int(Self.reversed(extra * 2 + value >> extra, 5)), 5)
        append(value & (1 << extra - 1), extra)
    }
}
