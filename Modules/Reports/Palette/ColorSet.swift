import StrataCore

/// A set of 24-bit colors in a bit map of two megabytes, independent of the number of rows.
struct ColorSet {
    private var words = [UInt64](repeating: 0, count: 1 << 18)
    /// The number of different colors.
    private(set) var count = 0

    mutating func insert(_ color: RGBColor) {
        let word = Int(color.code >> 6)
        let bit: UInt64 = 1 << UInt64(color.code & 63)
        guard words[word] & bit == 0 else { return }
        words[word] |= bit
        count += 1
    }

    /// Returns all colors, or a pseudorandom sample of a given size, in the order of a palette.
    ///
    /// The sample is the same for the same colors.
    func sample(_ most: Int) -> [RGBColor] {
        var chosen: [(rank: UInt64, color: RGBColor)] = []
        for (index, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                let code = UInt32(index << 6 + rest.trailingZeroBitCount)
                chosen.append((StableHash.mixed(UInt64(code)), RGBColor(code: code)))
                rest &= rest - 1
            }
            if chosen.count > 8 * most { Self.keep(most, of: &chosen) }
        }
        Self.keep(most, of: &chosen)
        return chosen.map(\.color).sorted(by: ColorFamily.precedes)
    }

    private static func keep(_ most: Int, of chosen: inout [(rank: UInt64, color: RGBColor)]) {
        guard chosen.count > most else { return }
        chosen.sort { $0.rank < $1.rank }
        chosen.removeLast(chosen.count - most)
    }
}
