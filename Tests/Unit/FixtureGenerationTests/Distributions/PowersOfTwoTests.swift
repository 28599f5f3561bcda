import Foundation
import Testing

@testable import StrataFixtures

@Suite("Products with powers of two")
struct PowersOfTwoTests {
    static func scaled(_ value: Int64, _ exponent: Int64) -> Int64 {
        PowersOfTwo.table.withUnsafeBufferPointer { PowersOfTwo.scaled(value, by: exponent, $0) }
    }

    @Test(
        "a product with a power of two differs from Foundation's product by at most two millionths",
        arguments: [1, 3, 1_000, 52_000, 1 << 40, 1 << 53] as [Int64])
    func truth(_ value: Int64) {
        for step in -400...400 {
            let exponent = Int64(step) * 3_355_443 + Int64(step % 7)
            let expected = Double(value) * pow(2, Double(exponent) / 67_108_864)
            guard expected < 9.2e18 else { continue }
            let made = Double(Self.scaled(value, exponent))
            #expect(abs(made - expected) <= 0.5 + expected * 2e-6, "\(value) \(exponent)")
        }
    }

    struct Edge: Sendable, CustomTestStringConvertible {
        let value: Int64
        /// The expected power.
        let power: Int64
        let expected: Int64
        var testDescription: String { "\(value) times 2^\(power)" }
    }

    static let edges: [Edge] = [
        Edge(value: 0, power: 100, expected: 0), Edge(value: 1, power: 0, expected: 1),
        Edge(value: 1, power: 31, expected: 1 << 31), Edge(value: 1, power: 32, expected: 1 << 32),
        Edge(value: 1, power: 33, expected: 1 << 33), Edge(value: 1, power: 62, expected: 1 << 62),
        Edge(value: 1, power: 63, expected: .max), Edge(value: 1, power: 64, expected: .max),
        Edge(value: 1, power: 10_000, expected: .max), Edge(value: .max, power: 0, expected: .max),
        Edge(value: .max, power: 1, expected: .max), Edge(value: 3, power: 61, expected: 3 << 61),
        Edge(value: 1, power: -1, expected: 1), Edge(value: 1, power: -2, expected: 0),
        Edge(value: 6, power: -2, expected: 2), Edge(value: 1, power: -10_000, expected: 0),
        Edge(value: .max, power: -62, expected: 2), Edge(value: .max, power: -65, expected: 0),
    ]

    @Test(
        "products with whole powers are exact, overflow returns the greatest value, and underflow returns 0",
        arguments: edges)
    func edge(_ edge: Edge) {
        #expect(Self.scaled(edge.value, edge.power << 26) == edge.expected)
    }

    @Test("products increase with the exponent")
    func monotone() {
        for step in -30_000..<30_000 as Range<Int64> {
            #expect(Self.scaled(1_000_000_007, step * 4_099) <= Self.scaled(1_000_000_007, (step + 1) * 4_099))
        }
    }

    @Test("the table of powers has 257 values from 2^32 to 2^33")
    func table() {
        #expect(PowersOfTwo.table.count == 257)
        #expect(PowersOfTwo.table.first == 1 << 32)
        #expect(PowersOfTwo.table.last == 1 << 33)
    }
}
