/// The distribution of a numeric attribute with at least one value.
struct NumberSummary: Sendable {
    let kind: NumberKind
    /// The number of values of the attribute that are not null.
    let count: Int
    /// The smallest number.
    let least: DecimalNumber
    /// The greatest number.
    let greatest: DecimalNumber
    /// The arithmetic mean; for integers with two more fraction digits than the numbers, for doubles with 12 digits.
    let mean: DecimalNumber
    /// The exact median; of an even count of numbers, the mean of the two middle ones.
    let median: DecimalNumber
    /// The position of the median among the bins, from 0 to 1.
    let medianPlace: Double
    /// The bins of the histogram.
    let bins: NumberBins
    /// The number of values in each bin.
    let counts: [Int]
}
