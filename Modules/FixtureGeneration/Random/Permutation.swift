/// A permutation of the numbers from 0 to less than a count, which selects unique values without storing them.
///
/// The permutation has four rounds of invertible steps on the minimum number of bits for the count. The steps add a
/// key, multiply by an odd key, and combine half of the bits with the other half. If the result is not less than the
/// count, it is permuted again. This always ends, because every cycle of the permutation returns to its start. It takes
/// fewer than two passes on average (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
struct Permutation {
    /// The count of numbers, at least 1.
    let count: UInt64
    private let mask: UInt64
    private let shift: UInt64
    private let keys: (UInt64, UInt64, UInt64, UInt64)

    /// Creates the permutation that a key determines.
    ///
    /// - Parameters:
    ///   - count: The count of numbers, at least 1.
    ///   - key: The key; different keys result in different permutations.
    init(of count: UInt64, key: UInt64) {
        self.count = max(1, count)
        let bits = UInt64(max(1, UInt64.bitWidth - (self.count - 1).leadingZeroBitCount))
        mask = UInt64.max >> (64 - bits)
        shift = (bits + 1) / 2
        keys = (
            RowBits.mixed(key &+ 1), RowBits.mixed(key &+ 2), RowBits.mixed(key &+ 3), RowBits.mixed(key &+ 4)
        )
    }

    /// Returns the position to which the permutation moves a number.
    ///
    /// - Parameter number: A number from 0 to less than the count of numbers.
    /// - Returns: The position, from 0 to less than the count of numbers.
    func callAsFunction(_ number: UInt64) -> UInt64 {
        var place = number
        repeat {
            place = round(round(round(round(place, keys.0), keys.1), keys.2), keys.3)
        } while place >= count
        return place
    }

    /// Returns the number that the permutation moves to a position.
    ///
    /// - Parameter place: A position from 0 to less than the count of numbers.
    /// - Returns: The number, from 0 to less than the count of numbers.
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
        // The shift is at least half of the bits, so the unchanged upper half inverts it.
        var bits = output ^ output >> shift
        bits = (bits &* Self.inverse(ofOdd: key | 1)) & mask
        bits ^= bits >> shift
        return (bits &- key) & mask
    }

    /// Returns the inverse of an odd number for multiplication modulo 2^64.
    ///
    /// The function uses Newton's method, in which each step doubles the number of correct bits.
    private static func inverse(ofOdd number: UInt64) -> UInt64 {
        var inverse = number
        for _ in 0..<5 { inverse = inverse &* (2 &- number &* inverse) }
        return inverse
    }
}
