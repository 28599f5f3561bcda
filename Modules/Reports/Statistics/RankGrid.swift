/// Counts keys in many fine buckets, to find in which of them the key of a rank is: the median's, for one.
struct RankGrid {
    /// 128 KiB of counts; a search among all 64-bit numbers takes five readings, and one or two as a rule.
    private static let buckets: UInt64 = 1 << 14

    /// The keys that are counted; others are left out.
    let range: ClosedRange<UInt64>
    private let width: UInt64
    private var counts: [Int]

    init(_ range: ClosedRange<UInt64>) {
        self.range = range
        let span = range.upperBound - range.lowerBound
        width = span / Self.buckets + 1
        counts = [Int](repeating: 0, count: Int(span / width) + 1)
    }

    /// Counts a key.
    mutating func add(_ key: UInt64) {
        guard range.contains(key) else { return }
        counts[Int((key - range.lowerBound) / width)] += 1
    }

    /// The bucket that holds the key of a rank among those counted, how many it holds, and the rank among these.
    ///
    /// - Parameter rank: From 0, below the number of keys counted.
    /// - Returns: Nil where so many were not counted.
    func bucket(ofRank rank: Int) -> (range: ClosedRange<UInt64>, count: Int, rank: Int)? {
        var rest = rank
        for (index, count) in counts.enumerated() {
            if rest < count {
                let lower = range.lowerBound + UInt64(index) * width
                let (sum, overflow) = lower.addingReportingOverflow(width - 1)
                return (lower...(overflow ? range.upperBound : min(sum, range.upperBound)), count, rest)
            }
            rest -= count
        }
        return nil
    }
}
