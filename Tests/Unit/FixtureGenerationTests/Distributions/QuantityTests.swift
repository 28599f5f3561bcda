import StrataTestSupport
import Testing

@testable import StrataFixtures

@Suite("Numbers with a distribution and bounds")
struct QuantityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let curve: Quantity.Curve
        let minimum: Int64
        let maximum: Int64
        var step: Int64 = 1
        var testDescription: String { "\(curve) \(minimum)...\(maximum) by \(step)" }
    }

    static let cases: [Case] = [
        Case(curve: .logNormal(median: 52_000, sigma: 450_000), minimum: 18_000, maximum: 400_000, step: 100),
        Case(curve: .logNormal(median: 1_800, sigma: 1_000_000), minimum: 50, maximum: 200_000),
        Case(curve: .logNormal(median: 25, sigma: 1_500_000), minimum: 0, maximum: 2_000),
        Case(curve: .logNormal(median: 10, sigma: 0), minimum: 10, maximum: 10),
        Case(curve: .logNormal(median: 1 << 53, sigma: 10_000_000), minimum: .min, maximum: .max),
        Case(curve: .logNormal(median: 1 << 53, sigma: 10_000_000), minimum: .min, maximum: .max, step: 2),
        Case(curve: .logNormal(median: 1 << 53, sigma: 10_000_000), minimum: .min, maximum: .max, step: 1_000),
        Case(curve: .logNormal(median: 1 << 53, sigma: 10_000_000), minimum: .min, maximum: .max, step: .max),
        Case(curve: .logNormal(median: 1, sigma: 10_000_000), minimum: 1, maximum: .max, step: 7),
        Case(curve: .normal(mean: 100, deviation: 15), minimum: 0, maximum: 200),
        Case(curve: .normal(mean: 100, deviation: 15), minimum: 110, maximum: 120, step: 3),
        Case(curve: .normal(mean: 100, deviation: 15), minimum: -7, maximum: 207, step: 10),
        Case(curve: .normal(mean: 5, deviation: 0), minimum: 5, maximum: 5),
        Case(curve: .normal(mean: 5, deviation: 0), minimum: .min, maximum: .max),
        Case(curve: .normal(mean: 1 << 53, deviation: 1 << 53), minimum: .min, maximum: .max, step: 3),
        Case(curve: .normal(mean: -(1 << 53), deviation: 1 << 53), minimum: .min, maximum: .max),
    ]

    static func values(_ quantity: Quantity, _ bits: some Sequence<UInt64>) -> [Int64] {
        NormalQuantiles.table.withUnsafeBufferPointer { normal in
            PowersOfTwo.table.withUnsafeBufferPointer { powers in
                bits.map { quantity.value($0, normal: normal, powers: powers) }
            }
        }
    }

    static let even = (0..<20_000 as Range<UInt64>).map { $0 * (UInt64.max / 19_999) }

    @Test(
        "values are within the bounds, are whole steps from the minimum, and increase with the random bits",
        arguments: Seeds.spread(7, of: cases))
    func bounds(_ one: Case) throws {
        let quantity = try #require(
            Quantity(one.curve, minimum: one.minimum, maximum: one.maximum, step: one.step))
        let values = Self.values(quantity, Self.even)
        for value in values {
            #expect(value >= one.minimum && value <= one.maximum)
            #expect(UInt64(bitPattern: value &- one.minimum) % UInt64(one.step) == 0)
        }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("values of the distribution outside the bounds do not accumulate at the bounds")
    func heaps() throws {
        let quantity = try #require(
            Quantity(.normal(mean: 1_000, deviation: 100), minimum: 950, maximum: 1_050, step: 1))
        var counts: [Int64: Int] = [:]
        for value in Self.values(quantity, Self.even) { counts[value, default: 0] += 1 }
        // The range has 101 values, of which none is much likelier than its neighbor.
        #expect(counts.count == 101)
        for value in [950, 951, 1_049, 1_050] as [Int64] { #expect((150...230).contains(counts[value] ?? 0)) }
    }

    @Test("half of all values are below the median, and a sixth is more than one deviation above the median")
    func shares() throws {
        let quantity = try #require(
            Quantity(.logNormal(median: 1_000_000, sigma: 500_000), minimum: 0, maximum: .max, step: 1))
        let values = Self.values(quantity, Self.even)
        #expect(abs(values.count { $0 < 1_000_000 } - 10_000) < 20)
        // The product of e^0.5 and the median is one deviation above it.
        #expect(abs(values.count { $0 > 1_648_721 } - 3_173) < 20)
        let normal = try #require(
            Quantity(.normal(mean: 0, deviation: 1_000_000), minimum: .min, maximum: .max, step: 1))
        #expect(abs(Self.values(normal, Self.even).count { $0 > 1_000_000 } - 3_173) < 20)
    }

    @Test("an initializer with bounds that exclude the whole distribution returns nil")
    func empty() {
        #expect(Quantity(.normal(mean: 0, deviation: 1), minimum: 8, maximum: 100, step: 1) == nil)
        #expect(Quantity(.normal(mean: 0, deviation: 1), minimum: -100, maximum: -8, step: 1) == nil)
        #expect(Quantity(.normal(mean: 5, deviation: 0), minimum: 6, maximum: 9, step: 1) == nil)
        #expect(Quantity(.logNormal(median: 100, sigma: 0), minimum: 0, maximum: 99, step: 1) == nil)
        #expect(Quantity(.logNormal(median: 100, sigma: 1), minimum: .min, maximum: -1, step: 1) == nil)
    }

    @Test("values are steps from the minimum up to the last step within the maximum")
    func steps() throws {
        let quantity = try #require(Quantity(.normal(mean: 50, deviation: 40), minimum: 1, maximum: 99, step: 10))
        let values = Set(Self.values(quantity, Self.even))
        #expect(values.sorted() == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91])
    }
}
