/// The distribution of a numeric attribute with at least one value.
struct NumberSummary: Sendable {
    let kind: NumberKind
    /// How many values there are.
    let count: Int
    let least: DecimalNumber
    let greatest: DecimalNumber
    let mean: DecimalNumber
    let median: DecimalNumber
    /// Where among the bins the median is, from 0 to 1.
    let medianPlace: Double
    let bins: NumberBins
    let counts: [Int]
}
