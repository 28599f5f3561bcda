import StrataCore

/// A set of 24-bit colors in a bit map of two megabytes, independent of the number of rows.
///
/// A hash table of all possible colors would need much more memory. The set exists only while all values of a column
/// are colors.
struct ColorSet {
    /// The bits of the colors, in the order of their codes.
    private var words = [UInt64](repeating: 0, count: 1 << 18)
    /// The number of different colors.
    private(set) var count = 0

    /// Inserts a color; a color that was inserted before has no effect.
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
    ///
    /// - Parameter most: The maximum number of colors, at least 1.
    /// - Returns: The colors, sorted by ``ColorFamily/precedes(_:_:)``.
    /// - Complexity: The whole bit map is read, whatever the number of colors.
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

    /// Removes all colors except those with the lowest ranks.
    private static func keep(_ most: Int, of chosen: inout [(rank: UInt64, color: RGBColor)]) {
        guard chosen.count > most else { return }
        chosen.sort { $0.rank < $1.rank }
        chosen.removeLast(chosen.count - most)
    }
}
