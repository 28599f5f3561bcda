/// How many rows refer to each target where that is bounded.
enum BoundedReferences {
    /// The first slot of each target: a target has as many slots as rows refer to it, and every row has a slot.
    ///
    /// Each target draws how many it wants; what is then too little or too much is spread over all of them in a drawn order.
    ///
    /// - Parameters:
    ///   - targets: How many targets.
    ///   - referring: How many rows refer, between so many times the bounds.
    ///   - perTarget: How many rows refer to each.
    ///   - bits: The random bits of the relationship.
    /// - Returns: One number more than targets, the last one `referring`.
    /// - Complexity: O(*n* log *m*) in the targets and the width of the bounds.
    static func starts(
        targets: Int, referring: Int, _ perTarget: ClosedRange<Int>, _ bits: RowBits
    ) -> [Int64] {
        let width = UInt64(perTarget.count)
        var degrees = (0..<targets).map { target in
            perTarget.lowerBound + Int(bits.value(RowBits.mixed(UInt64(target)), below: width))
        }
        var missing = referring - degrees.reduce(0, +)
        let order = Permutation(of: UInt64(max(1, targets)), key: bits.bits(RowBits.address(of: "order")))
        while missing != 0, targets > 0 {
            let share = max(1, missing.magnitude / UInt(targets))
            for place in 0..<targets where missing != 0 {
                let target = Int(order(UInt64(place)))
                if missing > 0 {
                    let more = min(Int(share), perTarget.upperBound - degrees[target], missing)
                    degrees[target] += more
                    missing -= more
                } else {
                    let fewer = min(Int(share), degrees[target] - perTarget.lowerBound, -missing)
                    degrees[target] -= fewer
                    missing += fewer
                }
            }
        }
        var starts: [Int64] = [0]
        starts.reserveCapacity(targets + 1)
        for degree in degrees { starts.append((starts.last ?? 0) + Int64(degree)) }
        return starts
    }
}
