/// A generator of integers with a normal or log-normal distribution between bounds.
///
/// The distribution is truncated at the bounds, so that values outside the bounds do not accumulate at them. All
/// calculations use integers, so that every machine generates the same numbers.
struct Quantity {
    /// A kind of distribution.
    enum Curve {
        case normal(mean: Int64, deviation: Int64)
        /// A log-normal distribution with a median and the deviation sigma of the natural logarithm, in millionths.
        case logNormal(median: Int64, sigma: Int64)
    }

    private let curve: Curve
    private let minimum: Int64
    private let maximum: Int64
    private let step: Int64
    /// The number of steps from the minimum to the maximum value.
    private let steps: UInt64
    /// The smallest probability whose value is within the bounds, in units of 2^-64.
    private var first: UInt64 = 0
    /// The number of probabilities whose values are within the bounds, minus one.
    private var span: UInt64 = UInt64.max

    /// Creates a distribution between bounds, or returns `nil` if the distribution has no values between them.
    ///
    /// - Parameters:
    ///   - curve: The kind and the parameters of the distribution.
    ///   - minimum: The minimum value.
    ///   - maximum: The maximum value, not less than the minimum.
    ///   - step: The distance between two adjacent values, counted from the minimum, at least 1.
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

    /// Returns the smallest probability that satisfies a monotonic condition, or `nil` if no probability satisfies it.
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

    /// Returns the generated number for 64 random bits.
    @inline(__always)
    func value(
        _ bits: UInt64, normal: UnsafeBufferPointer<Int32>, powers: UnsafeBufferPointer<UInt64>
    ) -> Int64 {
        let probability =
            span == UInt64.max ? bits : first + bits.multipliedFullWidth(by: span + 1).high
        let value = min(max(unbounded(probability, normal: normal, powers: powers), minimum), maximum)
        guard step > 1 else { return value }
        // The value is rounded to the nearest step within the bounds; their difference can require all 64 bits.
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
            // Both values are bounded when the description is checked, so the product does not overflow.
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
