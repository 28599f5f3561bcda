/// The powers of ten that fit in 64 bits, 10^0 to 10^19.
package enum PowersOfTen {
    private static let table: [UInt64] = {
        var powers: [UInt64] = [1]
        for _ in 1...19 {
            powers.append(powers[powers.count - 1] &* 10)
        }
        return powers
    }()

    /// The power, or nil when it does not fit in 64 bits.
    static func power(_ exponent: Int) -> UInt64? {
        guard exponent >= 0, exponent < table.count else { return nil }
        return table[exponent]
    }

    /// The power of a scale of a ``ScaledDecimal``, which is 0 to 18 and therefore always there.
    package static func power(ofScale scale: UInt8) -> Int64 {
        Int64(table[Int(scale)])
    }
}
