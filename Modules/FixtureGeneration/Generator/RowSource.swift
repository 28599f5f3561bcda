/// The random bits of one row: each field has its own, found by address and not by drawing in turn.
///
/// A field therefore keeps its value when another field is added, and rows need not be made in order.
/// Only additions, multiplications, shifts and exclusive-ors of 64 bits are used, which are the same everywhere.
struct RowSource {
    /// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64.
    ///
    /// Steele, Lea and Flood,
    /// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
    private static let goldenGamma: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The row's number from 0, as an identity may be made of it.
    let index: UInt64

    /// What every row of this seed, version and entity shares.
    private let key: UInt64

    /// What every field of this row shares.
    private let base: UInt64

    init(seed: UInt64, version: UInt64, entity: UInt64, index: UInt64) {
        self.index = index
        let dataset = Self.mixed(seed &+ version &* Self.goldenGamma)
        key = Self.mixed(dataset &+ entity &* Self.goldenGamma)
        base = Self.mixed(key &+ (index &+ 1) &* Self.goldenGamma)
    }

    /// The 64 bits of a field.
    func bits(_ field: UInt64) -> UInt64 {
        Self.mixed(base &+ field &* Self.goldenGamma)
    }

    /// The value of a field from 0 up to, not including, a bound above 0.
    ///
    /// The upper half of bits times bound, without rejection: one multiplication, and no value is likelier than
    /// another by more than the bound's 2^64th part, which for bounds under 2^32 nobody can measure.
    func value(_ field: UInt64, below bound: Int) -> Int {
        Int(bits(field).multipliedFullWidth(by: UInt64(max(bound, 1))).high)
    }

    /// The value of a field in a range.
    func value(_ field: UInt64, in range: ClosedRange<Int>) -> Int {
        range.lowerBound + value(field, below: range.upperBound - range.lowerBound + 1)
    }

    /// The entry of a list that a field picks, or an empty text where the list is empty.
    func pick(_ field: UInt64, from list: [String]) -> String {
        list.isEmpty ? "" : list[value(field, below: list.count)]
    }

    /// 64 bits that no other row of this entity has: every step from the index to them can be undone.
    var uniqueBits: UInt64 {
        Self.mixed(key ^ index)
    }

    /// A permutation of the 64-bit numbers in which every bit of the input stirs every bit of the output.
    ///
    /// The finaliser of SplitMix64 (the paper above); shifts and multipliers are David Stafford's "Mix13", from
    /// "Better Bit Mixing - Improving on MurmurHash3's 64-bit Finalizer", 2011.
    private static func mixed(_ input: UInt64) -> UInt64 {
        var bits = input
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
