import StrataCore

extension ValueConversion {
    /// Returns a condition that selects the rows whose value of a property may not be convertible.
    ///
    /// The result is `nil` if no condition can select them and each value must be read.
    func suspects(_ property: String) -> FetchCondition? {
        func compare(_ comparison: FetchComparison, _ value: StoredValue) -> FetchCondition {
            .compare(.property(property), comparison, .constant(value))
        }
        func outside(_ range: ClosedRange<Int64>) -> FetchCondition {
            compare(.less, .integer(range.lowerBound)) || compare(.greater, .integer(range.upperBound))
        }
        if isTotal { return .constant(false) }
        switch (source, target) {
        case (.integer16, .decimal(let scale)), (.integer32, .decimal(let scale)), (.integer64, .decimal(let scale)):
            let most = Int64.max / PowersOfTen.power(ofScale: scale)
            return outside(-most...most)
        case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean): return outside(0...1)
        case (.integer64, .double): return outside(-(1 << 53)...(1 << 53))
        case (.decimal(let scale), .decimal(let more)) where more > scale:
            let most = Int64.max / PowersOfTen.power(ofScale: more - scale)
            return compare(.less, .decimal(ScaledDecimal(unscaled: -most, scale: scale)))
                || compare(.greater, .decimal(ScaledDecimal(unscaled: most, scale: scale)))
        default:
            guard source.integerRange != nil, let range = target.integerRange else { return nil }
            return outside(range)
        }
    }
}
