/// The codes of one alphabet of a deflated block.
///
/// A code of at most ``tableBits`` bits is decoded by one look-up. Longer codes, which are rare, are decoded bit by bit
/// with the counts of codes of each length.
struct HuffmanTable {
    /// The maximum length of a code in bits.
    static let maximumLength = 15
    /// The count of bits with which a code is looked up; a larger table takes longer to build than it saves.
    static let tableBits = 10
    private static let tableSize = 1 << tableBits

    /// For each beginning of a code, the symbol shifted by 4 and the length of the code; 0 if the code is longer.
    private(set) var entries = [UInt16](repeating: 0, count: tableSize)
    private var counts = [UInt16](repeating: 0, count: maximumLength + 1)
    private var symbols: [UInt16] = []

    /// Creates a table from the lengths of the codes of all symbols.
    ///
    /// - Parameters:
    ///   - lengths: The length of each symbol's code in bits; 0 if the symbol has no code.
    ///   - permitsSingleCode: A Boolean value that indicates whether there may be no code, or only one of one bit.
    /// - Throws: ``ContainerError`` if there are too many or too few codes.
    init(_ lengths: ArraySlice<UInt8>, permitsSingleCode: Bool) throws(ContainerError) {
        for length in lengths { counts[Int(length)] += 1 }
        let codeCount = lengths.count - Int(counts[0])
        counts[0] = 0
        var left = 1
        for length in 1...Self.maximumLength {
            left = left << 1 - Int(counts[length])
            guard left >= 0 else { throw ContainerError(.malformed, "the compressed data has an over-subscribed code") }
        }
        if left > 0 {
            let isSingle = codeCount == 0 || (codeCount == 1 && counts[1] == 1)
            guard permitsSingleCode, isSingle else {
                throw ContainerError(.malformed, "the compressed data has an incomplete code")
            }
        }
        var offsets = [Int](repeating: 0, count: Self.maximumLength + 2)
        var codes = [Int](repeating: 0, count: Self.maximumLength + 2)
        for length in 1...Self.maximumLength {
            offsets[length + 1] = offsets[length] + Int(counts[length])
            codes[length + 1] = (codes[length] + Int(counts[length])) << 1
        }
        symbols = [UInt16](repeating: 0, count: codeCount)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            symbols[offsets[length]] = UInt16(symbol)
            offsets[length] += 1
            let code = codes[length]
            codes[length] += 1
            guard length <= Self.tableBits else { continue }
            // The stream contains the bits of a code in reverse.
            var index = 0
            for bit in 0..<length where code >> bit & 1 == 1 { index |= 1 << (length - 1 - bit) }
            while index < Self.tableSize {
                entries[index] = UInt16(symbol) << 4 | UInt16(length)
                index += 1 << length
            }
        }
    }

    /// Returns the symbol and length of the code at the beginning of the bits; `nil` if there is no such code.
    func slowSymbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...Self.maximumLength {
            code |= Int(bits >> UInt64(length - 1) & 1)
            let count = Int(counts[length])
            if code - count < first { return (Int(symbols[index + code - first]), length) }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}
