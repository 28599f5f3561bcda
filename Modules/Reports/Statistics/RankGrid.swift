/// A histogram of keys in many narrow buckets, which locates the key of a rank, such as the median.
///
/// All buckets have the same width, except that the last one may be narrower. If the range has fewer keys than buckets,
/// each bucket contains a single key, and the search is complete.
struct RankGrid {
    /// The number of buckets, which takes 128 KiB of counts.
    ///
    /// A search among all 64-bit numbers takes five passes over the rows. Usually, it takes one or two.
    private static let buckets: UInt64 = 1 << 14

    /// The range of the keys that are counted; other keys are ignored.
    let range: ClosedRange<UInt64>
    /// The number of keys in the range of a bucket.
    private let width: UInt64
    private var counts: [Int]

    /// Creates a grid without keys.
    ///
    /// - Parameter range: The range of the keys; the grid has at most 16,384 buckets, whatever the size of the range.
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

    /// Returns the bucket that contains the key of a rank, the count of its keys, and the rank inside the bucket.
    ///
    /// - Parameter rank: The rank, from 0 and less than the number of counted keys.
    /// - Returns: The bucket, or `nil` if fewer keys were counted.
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
