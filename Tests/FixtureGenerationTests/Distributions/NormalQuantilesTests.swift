import Foundation
import Testing

@testable import StrataFixtures

@Suite("Quantiles of the normal distribution grow, mirror each other, and are right")
struct NormalQuantilesTests {
    static let edges: [UInt64] =
        [31, 32, 33, 62, 63].flatMap { bits -> [UInt64] in
            let power: UInt64 = 1 << bits
            return [power - 1, power, power + 1, ~power, ~power - 1, ~power + 1]
        } + [0, 1, 2, .max, .max - 1]

    static func quantile(_ probability: UInt64) -> Int64 {
        NormalQuantiles.table.withUnsafeBufferPointer { NormalQuantiles.quantile(probability, $0) }
    }

    /// All edges, each power of two, and points between, in order.
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

    @Test("a greater probability has no lesser quantile")
    func monotone() {
        for (less, more) in zip(Self.samples, Self.samples.dropFirst()) {
            #expect(Self.quantile(less) <= Self.quantile(more), "\(less) \(more)")
        }
    }

    @Test("the quantile of what is left is the same below zero")
    func antisymmetric() {
        for sample in Self.samples { #expect(Self.quantile(sample) == -Self.quantile(~sample), "\(sample)") }
    }

    @Test("a quantile has the probability it is asked for, to 0.0005 of a deviation")
    func truth() {
        for sample in Self.samples where sample >= 1 << 31 && sample < 1 << 63 {
            // The tail's share of 2^64; a quantile x has the tail erfc(x / sqrt 2) / 2.
            let tail = (Double(sample) + 0.5) / 18_446_744_073_709_551_616
            let quantile = -Double(Self.quantile(sample)) / 67_108_864
            let isBetween =
                erfc((quantile + 0.0005) / 2.0.squareRoot()) / 2 <= tail
                && tail <= erfc((quantile - 0.0005) / 2.0.squareRoot()) / 2
            #expect(isBetween, "\(sample): \(quantile)")
        }
    }

    @Test("the table is whole: 32 steps for each of 32 halvings, all growing")
    func table() {
        #expect(NormalQuantiles.table.count == 32 * 32 + 1)
        for (less, more) in zip(NormalQuantiles.table, NormalQuantiles.table.dropFirst()) { #expect(less < more) }
    }

    @Test("the ends represent the least and the greatest value of the table")
    func ends() {
        #expect(Self.quantile(0) == -425_333_145)
        #expect(Self.quantile(.max) == 425_333_145)
        #expect(abs(Self.quantile(1 << 63)) <= 1)
    }
}
