/// The distribution of a numeric attribute with at least one value.
struct NumberSummary: Sendable {
    let kind: NumberKind
    /// The number of values of the attribute that are not null.
    let count: Int
    let least: DecimalNumber
    let greatest: DecimalNumber
    let mean: DecimalNumber
    let median: DecimalNumber
    /// The position of the median among the bins, from 0 to 1.
    let medianPlace: Double
    let bins: NumberBins
    let counts: [Int]
}
