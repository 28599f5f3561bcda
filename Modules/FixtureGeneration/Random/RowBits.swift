import StrataCore

/// The random bits of one row; each field reads its bits by an address instead of in sequence.
///
/// Therefore a field keeps its value if another field is added to its entity, and rows can be generated independently
/// of each other. Only additions, multiplications, shifts and exclusive-ors of 64 bits are used, which are the same on
/// every machine.
struct RowBits {
    /// The increment of the SplitMix64 generator: 2^64 divided by the golden ratio, rounded to an odd number.
    ///
    /// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
    private static let goldenGamma: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The random bits from which the bits of all fields of this row are derived.
    private let base: UInt64

    /// Creates the random bits of a row.
    ///
    /// - Parameters:
    ///   - key: The key that all rows of the entity share, from ``key(seed:version:entity:)``.
    ///   - index: The number of the row from 0.
    @inline(__always)
    init(key: UInt64, index: UInt64) {
        base = Self.mixed(key &+ (index &+ 1) &* Self.goldenGamma)
    }

    /// Returns the key that all rows with the same seed, dataset version and entity share.
    static func key(seed: UInt64, version: UInt64, entity: String) -> UInt64 {
        mixed(mixed(seed &+ version &* goldenGamma) &+ address(of: entity))
    }

    /// Returns the 64 random bits at an address.
    @inline(__always)
    func bits(_ address: UInt64) -> UInt64 {
        Self.mixed(base &+ address)
    }

    /// Returns a random number at an address, from 0 to less than a positive bound.
    @inline(__always)
    func value(_ address: UInt64, below bound: UInt64) -> UInt64 {
        Self.value(bits(address), below: bound)
    }

    /// Returns the upper 64 bits of the product of random bits and a bound, which is a number less than the bound.
    ///
    /// No bits are rejected, so the function needs one multiplication. The probabilities of two numbers differ by at
    /// most the bound times 2^-64, which cannot be measured for bounds below 2^32 (Lemire, "Fast Random Integer
    /// Generation in an Interval", 2019, without the last step).
    @inline(__always)
    static func value(_ bits: UInt64, below bound: UInt64) -> UInt64 {
        bits.multipliedFullWidth(by: bound).high
    }

    /// Returns a mixed number, in which every bit of the input affects every bit of the output.
    ///
    /// The function is a permutation of the 64-bit numbers, the finalizer of SplitMix64.
    @inline(__always)
    static func mixed(_ input: UInt64) -> UInt64 { StableHash.mixed(input) }

    /// Returns the input for which ``mixed(_:)`` returns an output.
    static func unmixed(_ output: UInt64) -> UInt64 {
        var bits = output ^ (output >> 31) ^ (output >> 62)
        bits = bits &* 0x3196_42B2_D24D_8EC3
        bits = bits ^ (bits >> 27) ^ (bits >> 54)
        bits = bits &* 0x96DE_1B17_3F11_9089
        return bits ^ (bits >> 30) ^ (bits >> 60)
    }

    /// The purposes for which one field draws random bits; their numbers are part of the dataset and are never reused.
    enum Purpose: UInt64 {
        case value = 0
        case null = 1
        case hostile = 2
        case hostileValue = 3
        case uniqueness = 4
        case degree = 5
        case slot = 6
        case locale = 7
    }

    /// Returns the address of a field's random bits, which is the mixed FNV-1a hash of its name's UTF-8 bytes.
    ///
    /// The address depends only on the name and the purpose, so that attributes can be added, removed and reordered
    /// without changing the values of others.
    static func address(of name: String, _ purpose: Purpose = .value) -> UInt64 {
        mixed(StableHash.fnv1a(name.utf8) &+ purpose.rawValue &* goldenGamma)
    }
}
