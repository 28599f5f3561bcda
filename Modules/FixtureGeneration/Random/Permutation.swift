/// A permutation of the numbers from 0 up to a count: what makes values unique without remembering any.
///
/// Four rounds of steps that can be undone (adding a key, multiplying by an odd one, shifting half the bits onto the others) on the
/// fewest bits that hold the count; a result beyond the count is put in again. That always ends, because a permutation's cycles do, and
/// takes less than two turns on average (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
struct Permutation {
    /// How many numbers there are, at least 1.
    let count: UInt64
    private let mask: UInt64
    private let shift: UInt64
    private let keys: (UInt64, UInt64, UInt64, UInt64)

    /// The permutation of a key.
    ///
    /// - Parameters:
    ///   - count: How many numbers, at least 1.
    ///   - key: Other keys give other permutations.
    init(of count: UInt64, key: UInt64) {
        self.count = max(1, count)
        let bits = UInt64(max(1, UInt64.bitWidth - (self.count - 1).leadingZeroBitCount))
        mask = UInt64.max >> (64 - bits)
        shift = (bits + 1) / 2
        keys = (
            RowBits.mixed(key &+ 1), RowBits.mixed(key &+ 2), RowBits.mixed(key &+ 3), RowBits.mixed(key &+ 4)
        )
    }

    /// Where a number goes.
    ///
    /// - Parameter number: From 0 up to, not including, the count.
    /// - Returns: The place, in the same range.
    func callAsFunction(_ number: UInt64) -> UInt64 {
        var place = number
        repeat {
            place = round(round(round(round(place, keys.0), keys.1), keys.2), keys.3)
        } while place >= count
        return place
    }

    /// Which number goes to a place.
    ///
    /// - Parameter place: From 0 up to, not including, the count.
    /// - Returns: The number, in the same range.
    func inverse(_ place: UInt64) -> UInt64 {
        var number = place
        repeat {
            number = undone(undone(undone(undone(number, keys.3), keys.2), keys.1), keys.0)
        } while number >= count
        return number
    }

    @inline(__always)
    private func round(_ input: UInt64, _ key: UInt64) -> UInt64 {
        var bits = (input &+ key) & mask
        bits ^= bits >> shift
        bits = (bits &* (key | 1)) & mask
        return bits ^ bits >> shift
    }

    private func undone(_ output: UInt64, _ key: UInt64) -> UInt64 {
        // The shift is at least half the bits, so that the upper half, which the step leaves alone, undoes it.
        var bits = output ^ output >> shift
        bits = (bits &* Self.inverse(ofOdd: key | 1)) & mask
        bits ^= bits >> shift
        return (bits &- key) & mask
    }

    /// The number whose product with an odd one is 1, by Newton's method: each step doubles the bits that are right.
    private static func inverse(ofOdd number: UInt64) -> UInt64 {
        var inverse = number
        for _ in 0..<5 { inverse = inverse &* (2 &- number &* inverse) }
        return inverse
    }
}
