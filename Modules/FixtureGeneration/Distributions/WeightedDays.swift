/// A generator of days in a range, weighted by their day of the week, which uses a single division for each day.
struct WeightedDays {
    private let first: Int64
    /// The cumulative weights of the first seven days of the range; the last one is the weight of a week.
    private let sums: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    /// The sum of the weights of all days in the range.
    private let total: UInt64

    /// Creates a generator of the days in a range, or returns `nil` if no day has a positive weight.
    ///
    /// - Parameters:
    ///   - days: The range of days, counted from 2001-01-01.
    ///   - weights: The weights of the seven days of the week, beginning with Monday.
    init?(_ days: Range<Int64>, weights: [Int]) {
        first = days.lowerBound
        var sums: [UInt64] = []
        for offset in 0..<7 {
            let weekday = CivilDay.weekday(days.lowerBound + Int64(offset))
            sums.append((sums.last ?? 0) + UInt64(weights.indices.contains(weekday) ? weights[weekday] : 0))
        }
        self.sums = (sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6])
        let (weeks, rest) = UInt64(days.count).quotientAndRemainder(dividingBy: 7)
        total = weeks * sums[6] + (rest == 0 ? 0 : sums[Int(rest) - 1])
        guard total > 0 else { return nil }
    }

    /// Returns the day that 64 random bits select.
    @inline(__always)
    func day(_ bits: UInt64) -> Int64 {
        let (week, rest) = RowBits.value(bits, below: total).quotientAndRemainder(dividingBy: sums.6)
        var offset: Int64 = 0
        if rest >= sums.0 { offset += 1 }
        if rest >= sums.1 { offset += 1 }
        if rest >= sums.2 { offset += 1 }
        if rest >= sums.3 { offset += 1 }
        if rest >= sums.4 { offset += 1 }
        if rest >= sums.5 { offset += 1 }
        return first + Int64(week) * 7 + offset
    }
}
