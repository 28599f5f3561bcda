import Testing

@testable import StrataFixtures

@Suite("Random bits of rows")
struct RowBitsTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let made: UInt64
        let known: UInt64
    }

    /// The first published outputs of SplitMix64 for the seed 1234567, and those of FNV-1a for short texts.
    static let vectors: [Vector] = [
        Vector(testDescription: "the first output of SplitMix64", made: splitMix(1), known: 6_457_827_717_110_365_317),
        Vector(testDescription: "the second output of SplitMix64", made: splitMix(2), known: 3_203_168_211_198_807_973),
        Vector(testDescription: "the third output of SplitMix64", made: splitMix(3), known: 9_817_491_932_198_370_423),
        Vector(testDescription: "the mixed value of 0", made: RowBits.mixed(0), known: 0),
        Vector(
            testDescription: "the FNV-1a hash of the empty text", made: RowBits.address(of: ""),
            known: RowBits.mixed(0xCBF2_9CE4_8422_2325)),
        Vector(
            testDescription: "the FNV-1a hash of the text a", made: RowBits.address(of: "a"),
            known: RowBits.mixed(0xAF63_DC4C_8601_EC8C)),
        Vector(
            testDescription: "the FNV-1a hash of the text foobar", made: RowBits.address(of: "foobar"),
            known: RowBits.mixed(0x8594_4171_F739_67E8)),
    ]

    static func splitMix(_ draw: UInt64) -> UInt64 { RowBits.mixed(1_234_567 &+ draw &* 0x9E37_79B9_7F4A_7C15) }

    @Test("mixed and hashed values equal the published vectors of SplitMix64 and FNV-1a", arguments: vectors)
    func vector(_ vector: Vector) {
        #expect(vector.made == vector.known)
    }

    @Test("unmixing restores the input of mixing")
    func unmixing() {
        for number in 0..<1_000 as Range<UInt64> {
            for input in [number, ~number, number << 32, number &* 0x9E37_79B9_7F4A_7C15] {
                #expect(RowBits.unmixed(RowBits.mixed(input)) == input)
            }
        }
    }

    @Test(
        "random values below a bound include 0 and the greatest permitted value",
        arguments: [1, 2, 3, 10, 1 << 63, .max] as [UInt64])
    func bounds(_ bound: UInt64) {
        #expect(RowBits.value(0, below: bound) == 0)
        #expect(RowBits.value(.max, below: bound) == bound - 1)
        for number in 0..<1_000 as Range<UInt64> { #expect(RowBits.value(RowBits.mixed(number), below: bound) < bound) }
    }

    @Test("each combination of purpose, field, row, entity, seed and version has different random bits")
    func addresses() {
        let purposes: [RowBits.Purpose] = [
            .value, .null, .hostile, .hostileValue, .uniqueness, .degree, .slot, .locale,
        ]
        var seen: Set<UInt64> = []
        for seed in [0, 1, UInt64.max] {
            for version in 1...2 as ClosedRange<UInt64> {
                for entity in ["Color", "Boss", "Roloc"] {
                    let key = RowBits.key(seed: seed, version: version, entity: entity)
                    for index in [0, 1, 999_999_999] as [UInt64] {
                        for name in ["", "a", "b", "ab", "ba", "name"] {
                            for purpose in purposes {
                                seen.insert(RowBits(key: key, index: index).bits(RowBits.address(of: name, purpose)))
                            }
                        }
                    }
                }
            }
        }
        #expect(seen.count == 3 * 2 * 3 * 3 * 6 * purposes.count)
    }

    /// An input that changes by one step, and the resulting bits.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bits: @Sendable (UInt64) -> UInt64
    }

    static let changes: [Change] = [
        Change(testDescription: "another seed") { field(seed: $0, "Color", 0, "hex") },
        Change(testDescription: "another row") { field(seed: 42, "Color", $0, "hex") },
        Change(testDescription: "another entity") { field(seed: 42, "Color\($0)", 0, "hex") },
        Change(testDescription: "another field") { field(seed: 42, "Color", 0, "hex\($0)") },
    ]

    static func field(seed: UInt64, _ entity: String, _ row: UInt64, _ name: String) -> UInt64 {
        RowBits(key: RowBits.key(seed: seed, version: 1, entity: entity), index: row).bits(RowBits.address(of: name))
    }

    @Test("a change of the seed, row, entity or field flips every bit in about half of all cases", arguments: changes)
    func avalanche(_ change: Change) {
        let steps: UInt64 = 4_000
        var turned = [Int](repeating: 0, count: 64)
        for step in 0..<steps {
            let difference = change.bits(step) ^ change.bits(step + 1)
            for bit in 0..<64 where difference >> UInt64(bit) & 1 == 1 { turned[bit] += 1 }
        }
        // Half of 4,000, with a tolerance of six deviations of 32.
        for count in turned { #expect((1_810...2_190).contains(count)) }
    }

    @Test("the random bits of two fields of a row are statistically independent")
    func independence() {
        // An 8 by 8 table for two fields of 64,000 rows: chi-squared with 63 degrees of freedom.
        var cells = [Int](repeating: 0, count: 64)
        for row in 0..<64_000 as Range<UInt64> {
            let first = Self.field(seed: 42, "Employee", row, "firstName") >> 61
            let second = Self.field(seed: 42, "Employee", row, "lastName") >> 61
            cells[Int(first * 8 + second)] += 1
        }
        let chiSquare = cells.reduce(0.0) { $0 + Double(($1 - 1_000) * ($1 - 1_000)) / 1_000 }
        #expect((20...130).contains(chiSquare))
    }
}
