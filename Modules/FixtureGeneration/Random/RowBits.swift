import StrataCore

/// The random bits of one row: each field has its own, found by address and not by drawing in turn.
///
/// A field therefore keeps its value when another field is added, and rows need not be made in order.
/// Only additions, multiplications, shifts and exclusive-ors of 64 bits are used, which are the same everywhere.
struct RowBits {
    /// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64.
    ///
    /// Steele, Lea and Flood,
    /// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
    private static let goldenGamma: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// What every field of this row shares.
    private let base: UInt64

    /// The bits of a row.
    ///
    /// - Parameters:
    ///   - key: What all rows of the entity share, of ``key(seed:version:entity:)``.
    ///   - index: The row's number from 0.
    @inline(__always)
    init(key: UInt64, index: UInt64) {
        base = Self.mixed(key &+ (index &+ 1) &* Self.goldenGamma)
    }

    /// What every row of a seed, a dataset version and an entity shares.
    static func key(seed: UInt64, version: UInt64, entity: String) -> UInt64 {
        mixed(mixed(seed &+ version &* goldenGamma) &+ address(of: entity))
    }

    /// The 64 bits of a field.
    @inline(__always)
    func bits(_ address: UInt64) -> UInt64 {
        Self.mixed(base &+ address)
    }

    /// The value at an address from 0 up to, not including, a bound above 0.
    @inline(__always)
    func value(_ address: UInt64, below bound: UInt64) -> UInt64 {
        Self.value(bits(address), below: bound)
    }

    /// The upper half of bits times bound.
    ///
    /// Without rejection: one multiplication, and no value is likelier than another by more than the bound's 2^64th part, which for
    /// bounds under 2^32 nobody can measure (Lemire, "Fast Random Integer Generation in an Interval", 2019, without the last step).
    @inline(__always)
    static func value(_ bits: UInt64, below bound: UInt64) -> UInt64 {
        bits.multipliedFullWidth(by: bound).high
    }

    /// A permutation of the 64-bit numbers in which every bit of the input stirs every bit of the output: the finaliser of SplitMix64.
    @inline(__always)
    static func mixed(_ input: UInt64) -> UInt64 { StableHash.mixed(input) }

    /// The number of which ``mixed(_:)`` makes another.
    static func unmixed(_ output: UInt64) -> UInt64 {
        var bits = output ^ (output >> 31) ^ (output >> 62)
        bits = bits &* 0x3196_42B2_D24D_8EC3
        bits = bits ^ (bits >> 27) ^ (bits >> 54)
        bits = bits &* 0x96DE_1B17_3F11_9089
        return bits ^ (bits >> 30) ^ (bits >> 60)
    }

    /// What several draws for one field are for; the numbers are part of the dataset and never reused.
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

    /// The address of a name: FNV-1a of its UTF-8 bytes stirred.
    ///
    /// Made of the name, so that attributes may be added, removed and put in another order without changing the others.
    static func address(of name: String, _ purpose: Purpose = .value) -> UInt64 {
        mixed(StableHash.fnv1a(name.utf8) &+ purpose.rawValue &* goldenGamma)
    }
}
