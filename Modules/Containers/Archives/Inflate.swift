/// A decompression of the format DEFLATE (RFC 1951), block by block.
///
/// The memory is limited to the window, one block of output and one block of the source. All violations of the format
/// are errors, and so is a source that ends early.
package final class Inflate: ByteSource {
    /// The count of bytes to which a distance may refer back, which the format defines.
    private static let windowSize = 32 * 1024
    /// The count of bytes that one call returns, approximately; it fits in a processor's cache.
    private static let outputSize = 64 * 1024
    /// The maximum count of bytes that one symbol produces.
    private static let longestMatch = 258

    private enum State {
        case blockHeader
        case stored(Int)
        case codes, end
    }

    private let limit: Int
    private var reader: BitReader
    private var state = State.blockHeader
    private var isLastBlock = false
    private var literals: HuffmanTable?
    private var distances: HuffmanTable?
    /// The window, followed by the output that was not returned yet.
    private var output = [UInt8](repeating: 0, count: windowSize + outputSize + longestMatch)
    private var outputEnd = windowSize
    /// The count of bytes before ``outputEnd`` that are decompressed data.
    private var windowCount = 0
    private var total = 0

    /// Creates a decompression.
    ///
    /// - Parameters:
    ///   - source: The compressed bytes; bytes after the end of the compressed data are not read completely.
    ///   - limit: The maximum count of decompressed bytes; more are an error.
    package init(_ source: any ByteSource, limit: Int) { (reader, self.limit) = (BitReader(source), limit) }

    package func next() throws(ContainerError) -> [UInt8] {
        let kept = min(windowCount, Self.windowSize)
        if outputEnd > Self.windowSize {
            let end = outputEnd
            output.withUnsafeMutableBytes { bytes in
                let source = UnsafeRawBufferPointer(rebasing: bytes[(end - kept)..<end])
                UnsafeMutableRawBufferPointer(rebasing: bytes[(Self.windowSize - kept)..<Self.windowSize])
                    .copyMemory(from: source)
            }
        }
        windowCount = kept
        outputEnd = Self.windowSize
        while outputEnd < Self.windowSize + Self.outputSize {
            switch state {
            case .end:
                return try produced()
            case .blockHeader:
                if isLastBlock { state = .end } else { try readBlockHeader() }
            case .stored(let count):
                try copyStored(count)
            case .codes:
                try decodeCodes()
            }
        }
        return try produced()
    }

    private func produced() throws(ContainerError) -> [UInt8] {
        let count = outputEnd - Self.windowSize
        total += count
        guard total <= limit else {
            throw ContainerError(.malformed, "the compressed data has more bytes than its size of \(limit)")
        }
        return Array(output[Self.windowSize..<outputEnd])
    }

    // MARK: Blocks

    private func readBlockHeader() throws(ContainerError) {
        isLastBlock = try reader.take(1) == 1
        switch try reader.take(2) {
        case 0:
            _ = try reader.take(reader.bitCount & 7)
            let length = try reader.take(16)
            guard try reader.take(16) == ~length & 0xFFFF else {
                throw ContainerError(.malformed, "the length of a stored block is invalid")
            }
            state = .stored(length)
        case 1:
            literals = try HuffmanTable(Self.fixedLengths[...], permitsSingleCode: false)
            // The fixed code has 32 distances, of which the last two are invalid.
            distances = try HuffmanTable([UInt8](repeating: 5, count: 32)[...], permitsSingleCode: false)
            state = .codes
        case 2:
            try readTables()
            state = .codes
        default:
            throw ContainerError(.malformed, "the compressed data has a block of an unknown type")
        }
    }

    /// The lengths of the fixed codes for literals and lengths.
    private static let fixedLengths: [UInt8] =
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
        + [UInt8](repeating: 8, count: 8)

    /// The order in which the lengths of the codes for code lengths are stored.
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    /// The maximum counts of symbols for literals and lengths, and for distances.
    private static let maximumLiterals = 286
    private static let maximumDistances = 30
    private static let endOfBlock = 256

    private func readTables() throws(ContainerError) {
        let literalCount = try reader.take(5) + 257
        let distanceCount = try reader.take(5) + 1
        let lengthCount = try reader.take(4) + 4
        guard literalCount <= Self.maximumLiterals, distanceCount <= Self.maximumDistances else {
            throw ContainerError(.malformed, "the compressed data has too many codes")
        }
        var codeLengths = [UInt8](repeating: 0, count: Self.lengthOrder.count)
        for index in 0..<lengthCount { codeLengths[Self.lengthOrder[index]] = UInt8(try reader.take(3)) }
        let table = try HuffmanTable(codeLengths[...], permitsSingleCode: false)
        var lengths: [UInt8] = []
        let count = literalCount + distanceCount
        while lengths.count < count {
            try reader.refill()
            let symbol = try reader.symbol(in: table, table.entries.span)
            switch symbol {
            case 0..<16:
                lengths.append(UInt8(symbol))
                continue
            case 16:
                guard let last = lengths.last else {
                    throw ContainerError(.malformed, "the compressed data repeats a code length that does not exist")
                }
                lengths.append(contentsOf: repeatElement(last, count: try reader.take(2) + 3))
            case 17: lengths.append(contentsOf: repeatElement(0, count: try reader.take(3) + 3))
            default: lengths.append(contentsOf: repeatElement(0, count: try reader.take(7) + 11))
            }
            guard lengths.count <= count else {
                throw ContainerError(.malformed, "the compressed data has too many code lengths")
            }
        }
        guard lengths[Self.endOfBlock] > 0 else {
            throw ContainerError(.malformed, "the compressed data has a block without an end")
        }
        literals = try HuffmanTable(lengths[..<literalCount], permitsSingleCode: true)
        distances = try HuffmanTable(lengths[literalCount...], permitsSingleCode: true)
    }

    private func copyStored(_ count: Int) throws(ContainerError) {
        var rest = count
        while rest > 0, outputEnd < Self.windowSize + Self.outputSize {
            let part = try reader.bytes(atMost: min(rest, Self.windowSize + Self.outputSize - outputEnd))
            output.replaceSubrange(outputEnd..<outputEnd + part.count, with: part)
            outputEnd += part.count
            windowCount += part.count
            rest -= part.count
        }
        state = rest > 0 ? .stored(rest) : .blockHeader
    }

    /// The base and the count of extra bits of each length symbol, from 257.
    private static let lengthBases: [(base: UInt16, extra: UInt8)] = (257...285).map { symbol in
        if symbol < 265 { return (UInt16(symbol - 254), 0) }
        if symbol == 285 { return (258, 0) }
        let extra = (symbol - 261) / 4
        return (UInt16((4 + (symbol - 265) & 3) << extra + 3), UInt8(extra))
    }

    /// The base and the count of extra bits of each distance symbol.
    private static let distanceBases: [(base: UInt16, extra: UInt8)] = (0..<30).map { symbol in
        if symbol < 4 { return (UInt16(symbol + 1), 0) }
        let extra = symbol / 2 - 1
        return (UInt16((2 + symbol & 1) << extra + 1), UInt8(extra))
    }

    /// Decodes symbols until the block ends or the output is full.
    private func decodeCodes() throws(ContainerError) {
        guard let literals, let distances else { throw BitReader.unknownCode }
        let full = Self.windowSize + Self.outputSize
        let literalEntries = literals.entries.span
        let distanceEntries = distances.entries.span
        let lengthBases = Self.lengthBases.span
        let distanceBases = Self.distanceBases.span
        // Locals are faster than properties of a class, which are checked for exclusive access.
        var reader = self.reader
        var output: [UInt8] = []
        swap(&output, &self.output)
        var end = outputEnd
        let start = end
        defer {
            windowCount += end - start
            outputEnd = end
            self.reader = reader
            swap(&output, &self.output)
        }
        while end < full {
            // A length and a distance with their extra bits have at most 48 bits.
            if reader.bitCount < 48 { try reader.refill() }
            let literal = try reader.symbol(in: literals, literalEntries)
            if literal < Self.endOfBlock {
                output[end] = UInt8(literal)
                end += 1
                continue
            }
            if literal == Self.endOfBlock {
                state = .blockHeader
                return
            }
            guard literal - 257 < lengthBases.count else { throw BitReader.unknownCode }
            let length = try Self.value(lengthBases[literal - 257], &reader)
            let symbol = try reader.symbol(in: distances, distanceEntries)
            guard symbol < distanceBases.count else { throw BitReader.unknownCode }
            let distance = try Self.value(distanceBases[symbol], &reader)
            guard distance <= windowCount + end - start, distance <= Self.windowSize else {
                throw ContainerError(.malformed, "the compressed data refers to bytes before its beginning")
            }
            Self.repeatBytes(&output, at: end, length: length, distance: distance)
            end += length
        }
    }

    /// Returns the value of a length or distance symbol, whose extra bits are the next bits.
    @inline(__always)
    private static func value(
        _ symbol: (base: UInt16, extra: UInt8), _ reader: inout BitReader
    ) throws(ContainerError) -> Int {
        let extra = Int(symbol.extra)
        let value = Int(symbol.base) + Int(reader.bits & (1 << UInt64(extra) - 1))
        guard reader.bitCount >= extra else { throw BitReader.truncated }
        reader.drop(extra)
        return value
    }

    /// Copies earlier bytes; the source and the copy may overlap.
    @inline(__always)
    private static func repeatBytes(_ output: inout [UInt8], at end: Int, length: Int, distance: Int) {
        output.withUnsafeMutableBytes { bytes in
            if distance >= length {
                UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + length])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[end - distance..<end - distance + length]))
            } else {
                for index in end..<end + length { bytes[index] = bytes[index - distance] }
            }
        }
    }
}
