/// Hash functions with the same result on every machine, in every process and in every version of this library.
///
/// Their results are written to files. The functions distinguish values, but they are not cryptographic.
package enum StableHash {
    /// The offset basis and the prime of FNV-1a in 64 bits (draft-eastlake-fnv).
    @usableFromInline static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
    @usableFromInline static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// Returns the FNV-1a hash of bytes (Fowler, Noll and Vo), in 64 bits.
    @inlinable
    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = offsetBasis
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    /// Returns the FNV-1a hash of borrowed bytes, in 64 bits.
    @inlinable
    package static func fnv1a(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = offsetBasis
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* prime }
        return hash
    }

    /// Returns a permutation of the 64-bit numbers in which every input bit affects every output bit.
    ///
    /// It is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
    /// Shifts and multipliers are David Stafford's "Mix13", from "Better Bit Mixing - Improving on MurmurHash3's 64-bit
    /// Finalizer", 2011.
    @inlinable
    @inline(__always)
    package static func mixed(_ input: UInt64) -> UInt64 {
        var bits = input
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
