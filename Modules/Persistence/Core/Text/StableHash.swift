/// Hashing that gives the same on every machine, in every process and in every version: it is kept in files.
///
/// It tells things apart; it does not withstand an attacker.
package enum StableHash {
    /// What FNV-1a begins with, and multiplies by, in 64 bits (draft-eastlake-fnv).
    @usableFromInline static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
    @usableFromInline static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// FNV-1a of bytes (Fowler, Noll and Vo), in 64 bits.
    @inlinable
    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = offsetBasis
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    /// The same of bytes that are borrowed.
    @inlinable
    package static func fnv1a(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = offsetBasis
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* prime }
        return hash
    }

    /// A permutation of the 64-bit numbers in which every bit of the input stirs every bit of the output.
    ///
    /// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014); shifts and multipliers are
    /// David Stafford's "Mix13", from "Better Bit Mixing - Improving on MurmurHash3's 64-bit Finalizer", 2011.
    @inlinable
    @inline(__always)
    package static func mixed(_ input: UInt64) -> UInt64 {
        var bits = input
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
