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
        case blockHeader, stored(Int), codes, end
    }

    private let source: any ByteSource
    private let limit: Int
    private var input: [UInt8] = []
    private var inputPosition = 0
    private var isInputAtEnd = false
    private var bits: UInt64 = 0
    private var bitCount = 0
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
    package init(_ source: any ByteSource, limit: Int) { (self.source, self.limit) = (source, limit) }

    /// The count of bytes that were read from the source, but do not belong to the compressed data.
    package var unusedCount: Int { input.count - inputPosition + bitCount / 8 }

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

    // MARK: Bits

    /// Loads bytes until at least 48 bits are available, or the source is at its end.
    @inline(__always)
    private func refill() throws(ContainerError) {
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
    private func refillSlowly() throws(ContainerError) {
        // The fast path leaves bits above the count, which equal the bytes that follow.
        bits &= bitCount < 64 ? 1 << UInt64(bitCount) - 1 : .max
        while bitCount <= 56 {
            if inputPosition == input.count {
                guard !isInputAtEnd else { return }
                input = try source.next()
                inputPosition = 0
                isInputAtEnd = input.isEmpty
                continue
            }
            bits |= UInt64(input[inputPosition]) << UInt64(bitCount)
            inputPosition += 1
            bitCount += 8
        }
    }

    @inline(__always)
    private func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    private func take(_ count: Int) throws(ContainerError) -> Int {
        if bitCount < count { try refill() }
        guard bitCount >= count else { throw truncated }
        let value = Int(bits & (1 << UInt64(count) - 1))
        drop(count)
        return value
    }

    private var truncated: ContainerError { ContainerError(.malformed, "the compressed data ends early") }

    // MARK: Blocks

    private func readBlockHeader() throws(ContainerError) {
        isLastBlock = try take(1) == 1
        switch try take(2) {
        case 0:
            _ = try take(bitCount & 7)
            let length = try take(16)
            guard try take(16) == ~length & 0xFFFF else {
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
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let lengthCount = try take(4) + 4
        guard literalCount <= Self.maximumLiterals, distanceCount <= Self.maximumDistances else {
            throw ContainerError(.malformed, "the compressed data has too many codes")
        }
        var codeLengths = [UInt8](repeating: 0, count: Self.lengthOrder.count)
        for index in 0..<lengthCount { codeLengths[Self.lengthOrder[index]] = UInt8(try take(3)) }
        let table = try HuffmanTable(codeLengths[...], permitsSingleCode: false)
        var lengths: [UInt8] = []
        let count = literalCount + distanceCount
        while lengths.count < count {
            let symbol = try self.symbol(in: table)
            switch symbol {
            case 0..<16:
                lengths.append(UInt8(symbol))
                continue
            case 16:
                guard let last = lengths.last else {
                    throw ContainerError(.malformed, "the compressed data repeats a code length that does not exist")
                }
                lengths.append(contentsOf: repeatElement(last, count: try take(2) + 3))
            case 17: lengths.append(contentsOf: repeatElement(0, count: try take(3) + 3))
            default: lengths.append(contentsOf: repeatElement(0, count: try take(7) + 11))
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

    private func symbol(in table: HuffmanTable) throws(ContainerError) -> Int {
        if bitCount < HuffmanTable.maximumLength { try refill() }
        let entry = table.entries[Int(bits & (1 << UInt64(HuffmanTable.tableBits) - 1))]
        var (symbol, length) = (Int(entry >> 4), Int(entry & 15))
        if length == 0 {
            guard let found = table.slowSymbol(bits) else { throw bitCount < 15 ? truncated : Self.unknownCode }
            (symbol, length) = found
        }
        guard bitCount >= length else { throw truncated }
        drop(length)
        return symbol
    }

    private static var unknownCode: ContainerError {
        ContainerError(.malformed, "the compressed data contains an unknown code")
    }

    private func copyStored(_ count: Int) throws(ContainerError) {
        var rest = count
        while rest > 0, outputEnd < Self.windowSize + Self.outputSize {
            // The bit buffer contains only whole bytes here.
            if bitCount >= 8 {
                output[outputEnd] = UInt8(try take(8))
                outputEnd += 1
                windowCount += 1
                rest -= 1
                continue
            }
            bits = 0
            if inputPosition == input.count {
                input = isInputAtEnd ? [] : try source.next()
                inputPosition = 0
                isInputAtEnd = input.isEmpty
                guard !isInputAtEnd else { throw truncated }
            }
            let part = min(rest, input.count - inputPosition, Self.windowSize + Self.outputSize - outputEnd)
            output.replaceSubrange(
                outputEnd..<outputEnd + part, with: input[inputPosition..<inputPosition + part])
            inputPosition += part
            outputEnd += part
            windowCount += part
            rest -= part
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
        guard let literals, let distances else { throw Self.unknownCode }
        let full = Self.windowSize + Self.outputSize
        let mask: UInt64 = 1 << UInt64(HuffmanTable.tableBits) - 1
        let literalEntries = literals.entries.span
        let distanceEntries = distances.entries.span
        let lengthBases = Self.lengthBases.span
        let distanceBases = Self.distanceBases.span
        // Locals are faster than properties of a class, which are checked for exclusive access.
        var end = outputEnd
        let start = end
        defer {
            windowCount += end - start
            outputEnd = end
        }
        while end < full {
            // A length and a distance with their extra bits have at most 48 bits.
            if bitCount < 48 { try refill() }
            let entry = literalEntries[Int(bits & mask)]
            var (symbol, length) = (Int(entry >> 4), Int(entry & 15))
            if length == 0 {
                guard let found = literals.slowSymbol(bits) else { throw bitCount < 15 ? truncated : Self.unknownCode }
                (symbol, length) = found
            }
            guard bitCount >= length else { throw truncated }
            drop(length)
            if symbol < Self.endOfBlock {
                output[end] = UInt8(symbol)
                end += 1
                continue
            }
            if symbol == Self.endOfBlock {
                state = .blockHeader
                return
            }
            guard symbol - 257 < lengthBases.count else { throw Self.unknownCode }
            let (lengthBase, lengthExtra) = lengthBases[symbol - 257]
            let matchLength = Int(lengthBase) + Int(bits & (1 << UInt64(lengthExtra) - 1))
            guard bitCount >= Int(lengthExtra) else { throw truncated }
            drop(Int(lengthExtra))

            let distanceEntry = distanceEntries[Int(bits & mask)]
            (symbol, length) = (Int(distanceEntry >> 4), Int(distanceEntry & 15))
            if length == 0 {
                guard let found = distances.slowSymbol(bits) else { throw bitCount < 15 ? truncated : Self.unknownCode }
                (symbol, length) = found
            }
            guard bitCount >= length else { throw truncated }
            drop(length)
            guard symbol < distanceBases.count else { throw Self.unknownCode }
            let (distanceBase, distanceExtra) = distanceBases[symbol]
            let distance = Int(distanceBase) + Int(bits & (1 << UInt64(distanceExtra) - 1))
            guard bitCount >= Int(distanceExtra) else { throw truncated }
            drop(Int(distanceExtra))
            guard distance <= windowCount + end - start, distance <= Self.windowSize else {
                throw ContainerError(.malformed, "the compressed data refers to bytes before its beginning")
            }
            output.withUnsafeMutableBufferPointer { bytes in
                if distance >= matchLength {
                    let source = UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(bytes)[end - distance..<end - distance + matchLength])
                    UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(bytes)[end..<end + matchLength]
                    ).copyMemory(from: source)
                } else {
                    for index in end..<end + matchLength { bytes[index] = bytes[index - distance] }
                }
            }
            end += matchLength
        }
    }
}
