import Foundation
import Testing

@testable import StrataFixtures

@Suite("Quantiles of the normal distribution")
struct NormalQuantilesTests {
    static let edges: [UInt64] =
        [31, 32, 33, 62, 63].flatMap { bits -> [UInt64] in
            let power: UInt64 = 1 << bits
            return [power - 1, power, power + 1, ~power, ~power - 1, ~power + 1]
        } + [0, 1, 2, .max, .max - 1]

    static func quantile(_ probability: UInt64) -> Int64 {
        NormalQuantiles.table.withUnsafeBufferPointer { NormalQuantiles.quantile(probability, $0) }
    }

    /// The sorted edges, powers of two, and points between them.
    static let samples: [UInt64] = {
        var samples = Set(edges)
        for bits in 0..<64 as Range<UInt64> {
            for part in 0..<128 as Range<UInt64> {
                let sample = 1 << bits + (bits >= 7 ? part << (bits - 7) : 0)
                samples.formUnion([sample, ~sample])
            }
        }
        for step in 0..<5_000 as Range<UInt64> { samples.insert(step &* (UInt64.max / 4_999)) }
        return samples.sorted()
    }()

    @Test("quantiles increase with the probability")
    func monotone() {
        for (less, more) in zip(Self.samples, Self.samples.dropFirst()) {
            #expect(Self.quantile(less) <= Self.quantile(more), "\(less) \(more)")
        }
    }

    @Test("quantiles of complementary probabilities have opposite signs")
    func antisymmetric() {
        for sample in Self.samples { #expect(Self.quantile(sample) == -Self.quantile(~sample), "\(sample)") }
    }

    @Test("a quantile differs from the exact quantile by at most 0.0005 standard deviations")
    func truth() {
        for sample in Self.samples where sample >= 1 << 31 && sample < 1 << 63 {
            // The share of the tail in 2^64; a quantile x has the tail erfc(x / sqrt 2) / 2.
            let tail = (Double(sample) + 0.5) / 18_446_744_073_709_551_616
            let quantile = -Double(Self.quantile(sample)) / 67_108_864
            let isBetween =
                erfc((quantile + 0.0005) / 2.0.squareRoot()) / 2 <= tail
                && tail <= erfc((quantile - 0.0005) / 2.0.squareRoot()) / 2
            #expect(isBetween, "\(sample): \(quantile)")
        }
    }

    @Test("the table of quantiles has 32 increasing steps for each of 32 halvings of the probability")
    func table() {
        #expect(NormalQuantiles.table.count == 32 * 32 + 1)
        for (less, more) in zip(NormalQuantiles.table, NormalQuantiles.table.dropFirst()) { #expect(less < more) }
    }

    @Test("the least and the greatest input return the extreme quantiles of the table")
    func ends() {
        #expect(Self.quantile(0) == -425_333_145)
        #expect(Self.quantile(.max) == 425_333_145)
        #expect(abs(Self.quantile(1 << 63)) <= 1)
    }
}
