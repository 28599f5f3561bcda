/// How many rows refer to each target where that is bounded.
struct BoundedReferences {
    /// The most targets: each takes sixteen bytes as long as rows are made.
    static let mostTargets = 10_000_000

    /// How many targets.
    let targets: Int
    /// How many rows refer to one of them.
    let referring: Int
    /// How many rows refer to each.
    let perTarget: ClosedRange<Int>
    /// How many fixed rows refer to a target, by its place from 0.
    let fixed: [Int: Int]

    /// The fewest rows that targets take: what a target has of fixed rows is more than its lower bound at times.
    var least: Int {
        fixed.values.reduce(targets * perTarget.lowerBound) { $0 + max(0, $1 - perTarget.lowerBound) }
    }

    /// The most rows that targets take.
    var most: Int { targets * perTarget.upperBound }

    /// The first slot of each target: a target has as many slots as rows refer to it, and every row has a slot.
    ///
    /// Each target draws how many it wants, on average as many as there are for each; what is then too little or too much is spread over
    /// all of them in a drawn order.
    ///
    /// - Parameter bits: The random bits of the relationship.
    /// - Returns: One number more than targets, the last one `referring`, which is within ``least`` and ``most``.
    /// - Complexity: O(*n*) in the targets for each time that what is left over is spread, of which there are some ten.
    func starts(_ bits: RowBits) -> [Int64] {
        var degrees = wanted(bits)
        spread(&degrees, Permutation(of: UInt64(max(1, targets)), key: bits.bits(RowBits.address(of: "order"))))
        var starts: [Int64] = [0]
        starts.reserveCapacity(targets + 1)
        var sum: Int64 = 0
        for degree in degrees {
            sum += Int64(degree)
            starts.append(sum)
        }
        return starts
    }

    private func wanted(_ bits: RowBits) -> [Int] {
        guard targets > 0 else { return [] }
        // What there is above the lower bound, for each target and for all: nobody can have more than all.
        let extra = referring - targets * perTarget.lowerBound
        let width = min(perTarget.upperBound - perTarget.lowerBound, extra)
        let mean = min((extra + targets - 1) / targets, width)
        return (0..<targets).map { target in
            let own = bits.bits(RowBits.mixed(UInt64(target)))
            var degree = perTarget.lowerBound
            if width > 0 {
                // Below the mean or above it, so often that the mean comes out; in both parts every number is as likely.
                let isBelow = RowBits.value(own, below: UInt64(width)) >= UInt64(mean)
                let part = isBelow ? 0...mean : mean...width
                degree += part.lowerBound + Int(RowBits.value(RowBits.mixed(own), below: UInt64(part.count)))
            }
            return max(degree, fixed[target] ?? 0)
        }
    }

    private func spread(_ degrees: inout [Int], _ order: Permutation) {
        var missing = referring - degrees.reduce(0, +)
        /// How many more a target can have, or how many fewer.
        func room(_ target: Int) -> Int {
            missing > 0
                ? perTarget.upperBound - degrees[target]
                : degrees[target] - max(perTarget.lowerBound, fixed[target] ?? 0)
        }
        while missing != 0 {
            var open = 0
            for target in 0..<targets where room(target) > 0 { open += 1 }
            guard open > 0 else { return }
            let share = max(1, Int(missing.magnitude) / open)
            for place in 0..<targets where missing != 0 {
                let target = Int(order(UInt64(place)))
                let change = min(share, room(target), Int(missing.magnitude))
                if missing > 0 {
                    degrees[target] += change
                    missing -= change
                } else {
                    degrees[target] -= change
                    missing += change
                }
            }
        }
    }
}
