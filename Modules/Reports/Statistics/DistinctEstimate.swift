import Foundation

/// An estimate of the number of different hashes, with a standard error of 0.8 percent, in 16 KiB (HyperLogLog).
///
/// Each hash selects one of 16,384 registers by its first 14 bits. The register stores the greatest position of the
/// first set bit in the remaining bits, which grows with the logarithm of the number of different hashes. The error is
/// 1.04 divided by the square root of the count of registers. Hashes must be uniformly distributed in all 64 bits; use
/// `StableHash.mixed` for numbers.
struct DistinctEstimate {
    /// The number of bits that select a register.
    private static let indexBits: UInt64 = 14
    private static let registerCount = 1 << 14

    private var registers = [UInt8](repeating: 0, count: registerCount)

    /// Adds a hash; a hash that was added before has no effect.
    mutating func add(_ hash: UInt64) {
        let index = Int(hash >> (64 - Self.indexBits))
        let rest = hash << Self.indexBits | (1 << (Self.indexBits - 1))
        registers[index] = max(registers[index], UInt8(rest.leadingZeroBitCount + 1))
    }

    /// The estimate, rounded to three digits.
    ///
    /// More digits would suggest an accuracy that the estimate does not have. The estimate of few hashes is nearly
    /// exact.
    ///
    /// - Complexity: O(1), but all registers are read.
    var count: Int {
        let registerCount = Double(Self.registerCount)
        var sum: Double = 0
        var empty = 0
        for register in registers {
            sum += 1 / Double(1 << UInt64(register))
            if register == 0 { empty += 1 }
        }
        let raw = 0.7213 / (1 + 1.079 / registerCount) * registerCount * registerCount / sum
        // If many registers are empty, their number is a better estimate.
        let isSmall = raw <= 2.5 * registerCount && empty > 0
        let estimate = isSmall ? registerCount * log(registerCount / Double(empty)) : raw
        let rounded = DecimalNumber(Int128(estimate.rounded()), exponent: 0).rounded(toDigits: 3)
        var count = Int(rounded.coefficient)
        for _ in 0..<rounded.exponent { count *= 10 }
        return count
    }
}
