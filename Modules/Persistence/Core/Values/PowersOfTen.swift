/// The powers of ten that fit in 64 bits, 10^0 to 10^19.
package enum PowersOfTen {
    private static let table: [UInt64] = {
        var powers: [UInt64] = [1]
        for _ in 1...19 {
            powers.append(powers[powers.count - 1] &* 10)
        }
        return powers
    }()

    /// Returns a power of ten, or `nil` if it does not fit in 64 bits.
    static func power(_ exponent: Int) -> UInt64? {
        guard exponent >= 0, exponent < table.count else { return nil }
        return table[exponent]
    }

    /// Returns the power of ten for a scale of a ``ScaledDecimal``; a scale is 0 to 18, so the power always exists.
    package static func power(ofScale scale: UInt8) -> Int64 {
        Int64(table[Int(scale)])
    }
}
