import StrataTestSupport
import Testing

@testable import StrataReports

@Suite("Bins of numbers")
struct NumberBinsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let kind: NumberKind
        let range: ClosedRange<Double>
        /// The first, second and last edge.
        let edges: [String]
        let count: Int

        var testDescription: String { "\(kind) \(range)" }
    }

    private static let examples: [Example] = [
        Example(kind: .whole(scale: 0), range: 20_000...250_000, edges: ["20,000", "30,000", "260,000"], count: 24),
        Example(kind: .whole(scale: 0), range: 0...10, edges: ["0", "1", "11"], count: 11),
        Example(kind: .whole(scale: 0), range: -7...(-3), edges: ["−7", "−6", "−2"], count: 5),
        Example(kind: .whole(scale: 0), range: -95...104, edges: ["−100", "−90", "110"], count: 21),
        Example(kind: .whole(scale: 2), range: 50...50_000, edges: ["0", "20", "520"], count: 26),
        Example(kind: .whole(scale: 2), range: 5...9, edges: ["0.05", "0.06", "0.1"], count: 5),
        Example(kind: .real, range: 0.1...0.3, edges: ["0.1", "0.11", "0.31"], count: 21),
        Example(kind: .real, range: -1...3, edges: ["−1", "−0.8", "3.2"], count: 21),
        Example(kind: .real, range: 1e-9...2e-8, edges: ["1 × 10⁻⁹", "2 × 10⁻⁹", "2.1 × 10⁻⁸"], count: 20),
        Example(kind: .real, range: 0...1e30, edges: ["0", "5 × 10²⁸", "1.05 × 10³⁰"], count: 21),
    ]

    @Test("number bins have round edges and cover the whole range of the numbers", arguments: examples)
    func edges(example: Example) {
        func key(_ number: Double) -> UInt64 {
            example.kind == .real ? NumberKind.key(number) : NumberKind.key(Int64(number))
        }
        let bins = NumberBins(
            example.kind, least: key(example.range.lowerBound), greatest: key(example.range.upperBound))
        #expect(bins.count == example.count)
        #expect([0, 1, bins.count].map { NumberText.number(bins.edge($0)) } == example.edges)
        #expect(bins.index(ofKey: key(example.range.lowerBound)) == 0)
        #expect(bins.index(ofKey: key(example.range.upperBound)) == bins.count - 1)
    }

    @Test("a number on the edge of two bins belongs to the upper bin, also for decimal fractions")
    func onEdges() {
        let bins = NumberBins(.real, least: NumberKind.key(0.0), greatest: NumberKind.key(2.9))
        for tenth in 0..<30 {
            #expect(bins.index(ofKey: NumberKind.key(Double(tenth) / 10)) == tenth)
        }
        #expect(bins.index(ofKey: NumberKind.key((0.3).nextDown)) == 2)
    }

    @Test("sort keys preserve the order of numbers and can be converted back to the numbers")
    func keys() {
        let reals: [Double] = [
            -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1e300,
        ]
        let wholes: [Int64] = [.min, -1, 0, 1, .max]
        #expect(reals.map(NumberKind.key).sorted() == reals.map(NumberKind.key))
        #expect(reals.map { NumberKind.real(ofKey: NumberKind.key($0)) } == reals)
        #expect(wholes.map(NumberKind.key).sorted() == wholes.map(NumberKind.key))
        #expect(wholes.map { NumberKind.whole(ofKey: NumberKind.key($0)) } == wholes)
        #expect(NumberKind.key(-0.0) == NumberKind.key(0.0))
    }

    @Test("a rank grid returns the bucket that contains the key with the requested rank")
    func ranks() {
        var generator = SeededGenerator(seed: 4)
        let keys = (0..<300).map { _ in UInt64.random(in: 0...(.max), using: &generator) }.sorted()
        var grid = RankGrid(keys[0]...keys[keys.count - 1])
        for key in keys { grid.add(key) }
        for rank in keys.indices {
            guard let bucket = grid.bucket(ofRank: rank) else {
                Issue.record("no bucket of rank \(rank)")
                continue
            }
            #expect(bucket.range.contains(keys[rank]))
            #expect(keys.count { bucket.range.contains($0) } == bucket.count)
        }
        #expect(grid.bucket(ofRank: keys.count) == nil)
    }
}
