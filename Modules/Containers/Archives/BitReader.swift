/// A reader of the bits of a stream, from the least significant bit of each byte.
///
/// It is a value, so that a loop can use a local copy, which is faster than the properties of a class.
struct BitReader {
    private let source: any ByteSource
    private var input: [UInt8] = []
    private var inputPosition = 0
    private var isInputAtEnd = false
    /// The next bits; bits beyond ``bitCount`` have no meaning.
    private(set) var bits: UInt64 = 0
    private(set) var bitCount = 0

    init(_ source: any ByteSource) { self.source = source }

    /// Loads bytes until at least 48 bits are available, or the source is at its end.
    @inline(__always)
    mutating func refill() throws(ContainerError) {
        if input.count - inputPosition >= 8 {
            let word = input.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: inputPosition, as: UInt64.self))
            }
            bits |= word << UInt64(bitCount)
            inputPosition += (63 - bitCount) >> 3
            bitCount |= 56
        } else {
            try refillSlowly()
        }
    }

    @inline(never)
    private mutating func refillSlowly() throws(ContainerError) {
        // The fast path leaves bits above the count, which equal the bits that follow.
        bits &= 1 << UInt64(bitCount) - 1
        while bitCount <= 55 {
            if inputPosition == input.count {
                guard try readBlock() else { return }
            }
            bits |= UInt64(input[inputPosition]) << UInt64(bitCount)
            inputPosition += 1
            bitCount += 8
        }
    }

    /// Reads the next block of the source; returns `false` at its end.
    private mutating func readBlock() throws(ContainerError) -> Bool {
        guard !isInputAtEnd else { return false }
        input = try source.next()
        inputPosition = 0
        isInputAtEnd = input.isEmpty
        return !isInputAtEnd
    }

    @inline(__always)
    mutating func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    /// Returns the next bits as a number; a source that ends before is an error.
    mutating func take(_ count: Int) throws(ContainerError) -> Int {
        if bitCount < count { try refill() }
        guard bitCount >= count else { throw Self.truncated }
        let value = Int(bits & (1 << UInt64(count) - 1))
        drop(count)
        return value
    }

    /// Returns the next symbol of a code.
    @inline(__always)
    mutating func symbol(in table: HuffmanTable, _ entries: Span<UInt16>) throws(ContainerError) -> Int {
        let entry = entries[Int(bits & (1 << UInt64(HuffmanTable.tableBits) - 1))]
        var (symbol, length) = (Int(entry >> 4), Int(entry & 15))
        if length == 0 {
            guard let found = table.slowSymbol(bits) else {
                throw bitCount < HuffmanTable.maximumLength ? Self.truncated : Self.unknownCode
            }
            (symbol, length) = found
        }
        guard bitCount >= length else { throw Self.truncated }
        drop(length)
        return symbol
    }

    /// Skips bits up to the next byte, and returns up to `count` bytes, at least one.
    mutating func bytes(atMost count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
        if bitCount >= 8 {
            var bytes: [UInt8] = []
            while bitCount >= 8, bytes.count < count { bytes.append(UInt8(try take(8))) }
            return bytes[...]
        }
        (bits, bitCount) = (0, 0)
        if inputPosition == input.count {
            guard try readBlock() else { throw Self.truncated }
        }
        let part = input[inputPosition..<min(inputPosition + count, input.count)]
        inputPosition += part.count
        return part
    }

    static var truncated: ContainerError { ContainerError(.malformed, "the compressed data ends early") }
    static var unknownCode: ContainerError {
        ContainerError(.malformed, "the compressed data contains an unknown code")
    }
}
