/// A number drawn by a bell curve, or by one of logarithms, between bounds, in whole units.
///
/// Bounds cut the curve off: what lies beyond is not heaped up at them. All in integers, so that every machine draws the same.
struct Quantity {
    /// The curve.
    enum Curve {
        case normal(mean: Int64, deviation: Int64)
        /// Half of all values are below the median; sigma is the deviation of the natural logarithm, in millionths.
        case logNormal(median: Int64, sigma: Int64)
    }

    private let curve: Curve
    private let minimum: Int64
    private let maximum: Int64
    private let step: Int64
    /// How many steps fit between the bounds.
    private let steps: UInt64
    /// The least probability whose value is within the bounds.
    private var first: UInt64 = 0
    /// How many probabilities are, less one.
    private var span: UInt64 = UInt64.max

    /// A curve between bounds; `nil` where it has nothing between them.
    ///
    /// - Parameters:
    ///   - curve: The curve, in units.
    ///   - minimum: The least value.
    ///   - maximum: The greatest value, not below the minimum.
    ///   - step: What values are apart, counted from the minimum, at least 1.
    init?(_ curve: Curve, minimum: Int64, maximum: Int64, step: Int64) {
        self.curve = curve
        self.minimum = minimum
        self.maximum = maximum
        self.step = max(1, step)
        steps = UInt64(bitPattern: maximum &- minimum) / UInt64(self.step)
        let normal = NormalQuantiles.table
        let powers = PowersOfTwo.table
        let bounds = normal.withUnsafeBufferPointer { normal in
            powers.withUnsafeBufferPointer { powers in
                (
                    Self.least { unbounded($0, normal: normal, powers: powers) >= minimum },
                    Self.least { unbounded($0, normal: normal, powers: powers) > maximum }
                )
            }
        }
        guard let least = bounds.0 else { return nil }
        first = least
        let last = bounds.1.map { $0 == 0 ? nil : $0 - 1 } ?? UInt64.max
        guard let last, last >= least else { return nil }
        span = last - least
    }

    /// The least probability for which something holds that holds for all greater ones; `nil` where it holds for none.
    private static func least(where holds: (UInt64) -> Bool) -> UInt64? {
        guard holds(UInt64.max) else { return nil }
        var low: UInt64 = 0
        var high = UInt64.max
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The value that bits stand for.
    @inline(__always)
    func value(
        _ bits: UInt64, normal: UnsafeBufferPointer<Int32>, powers: UnsafeBufferPointer<UInt64>
    ) -> Int64 {
        let probability =
            span == UInt64.max ? bits : first + bits.multipliedFullWidth(by: span + 1).high
        let value = min(max(unbounded(probability, normal: normal, powers: powers), minimum), maximum)
        guard step > 1 else { return value }
        // The nearest step that is within the bounds; a difference of bounds may take all 64 bits.
        let (whole, rest) = UInt64(bitPattern: value &- minimum).quotientAndRemainder(dividingBy: UInt64(step))
        let nearest = min(rest >= UInt64(step - step / 2) ? whole + 1 : whole, steps)
        return minimum &+ Int64(bitPattern: nearest &* UInt64(step))
    }

    @inline(__always)
    private func unbounded(
        _ probability: UInt64, normal: UnsafeBufferPointer<Int32>, powers: UnsafeBufferPointer<UInt64>
    ) -> Int64 {
        let quantile = NormalQuantiles.quantile(probability, normal)
        switch curve {
        case .normal(let mean, let deviation):
            // Both are bounded when the description is checked, so that nothing overflows.
            let (high, low) = deviation.multipliedFullWidth(by: quantile)
            let offset =
                high << Int64(64 - NormalQuantiles.fractionBits)
                | Int64(bitPattern: low >> UInt64(NormalQuantiles.fractionBits))
            let (sum, overflow) = mean.addingReportingOverflow(offset)
            return overflow ? (offset < 0 ? Int64.min : Int64.max) : sum
        case .logNormal(let median, let sigma):
            let logarithm = quantile * sigma / 1_000_000
            return PowersOfTwo.scaled(median, by: (logarithm * Self.log2OfE) >> 30, powers)
        }
    }

    /// The binary logarithm of e, times 2^30.
    private static let log2OfE: Int64 = 1_549_082_005
}
