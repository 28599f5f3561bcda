import StrataPersistence
import StrataTestSupport
import Testing

@testable import StrataReports

@Suite("Frequent items in bounded memory")
struct FrequentItemsTests {
    private static func counting(_ items: [Int], capacity: Int) -> FrequentItems<Int> {
        var frequent = FrequentItems<Int>(capacity: capacity) { StableHash.mixed(UInt64($0)) }
        for item in items { frequent.add(item) }
        return frequent
    }

    @Test("items are counted exactly up to the capacity")
    func exact() {
        let frequent = Self.counting([1, 2, 2, 3, 3, 3], capacity: 3)
        #expect(frequent.isExact && frequent.distinctCount == 3)
        #expect(frequent.top(2, <).map(\.item) == [3, 2])
        #expect(frequent.top(2, <).map(\.count) == [3, 2])
    }

    @Test(
        "beyond the capacity, no count is too high, or too low by more than the reported error",
        arguments: [1, 2, 3] as [UInt64])
    func bounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let items = (0..<5000).map { _ in
            Int.random(in: 0..<Int.random(in: 1...300, using: &generator), using: &generator)
        }
        let counts = Dictionary(grouping: items) { $0 }.mapValues(\.count)
        let frequent = Self.counting(items, capacity: 40)
        #expect(!frequent.isExact && frequent.counts.count <= 40)
        #expect(frequent.error <= items.count / 41)
        for (item, count) in counts {
            let found = frequent.counts[item] ?? 0
            #expect(found <= count && count <= found + frequent.error)
        }
    }

    @Test(
        "the estimated count of distinct items differs from the exact count by less than 3 %",
        arguments: [100, 5000, 60_000, 300_000])
    func estimate(count: Int) {
        var estimate = DistinctEstimate()
        for item in 0..<count { for _ in 0..<2 { estimate.add(StableHash.mixed(UInt64(item))) } }
        #expect(abs(Double(estimate.count) / Double(count) - 1) < 0.03)
    }

    @Test(
        "the estimated count of distinct items never exceeds the count of items",
        arguments: [50, 4097, 5000, 20_000, 70_000])
    func estimateAtMost(count: Int) {
        for start in 0..<Seeds.count(5, all: 20) {
            let frequent = Self.counting(Array(start * count..<(start + 1) * count), capacity: 40)
            #expect(!frequent.isExact && frequent.distinctCount <= count)
        }
    }

    @Test(
        "composed and decomposed letters are different texts, and so are long texts with different ends")
    func textKeys() {
        #expect(TextKey("\u{E9}") != TextKey("e\u{301}"))
        let long = String(repeating: "x", count: 1000)
        #expect(TextKey(long + "a") != TextKey(long + "b"))
        #expect(TextKey(long).isCut && TextKey(long).shown.count == TextKey.shownScalars)
    }
}
