/// A relationship with a minimum and a maximum number of references to each target.
///
/// The number of references to each target is computed when the plan is compiled, and needs memory for each target. A
/// row then finds its target by a permutation of the rows and a binary search in the first slots of the targets.
struct BoundedReferences {
    /// The maximum number of targets; each target needs sixteen bytes of memory while rows are generated.
    static let mostTargets = 10_000_000

    /// The number of rows that can be referenced.
    let targets: Int
    /// The number of rows whose reference is not null.
    let referring: Int
    /// The minimum and the maximum number of references to each target.
    let perTarget: ClosedRange<Int>
    /// The number of fixed rows that reference a target, by the target's index from 0.
    let fixed: [Int: Int]

    /// The minimum number of referencing rows.
    ///
    /// It is the sum of the lower bounds, or more if fixed rows reference some targets more often.
    var least: Int {
        fixed.values.reduce(targets * perTarget.lowerBound) { $0 + max(0, $1 - perTarget.lowerBound) }
    }

    /// The maximum number of referencing rows that the upper bound allows.
    var most: Int { targets * perTarget.upperBound }

    /// Returns the index of the first slot of each target; a target has one slot for each row that references it.
    ///
    /// First, each target draws a number of references, whose mean is the average number of references per target. Then
    /// the difference between the sum of these numbers and the actual number is distributed over the targets in a
    /// random order.
    ///
    /// - Parameter bits: The random bits of the relationship.
    /// - Returns: The indices, followed by `referring`, which must be between ``least`` and ``most``.
    /// - Complexity: O(*n*) in the number of targets, repeated about ten times to distribute the difference.
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
        // The number of references above the lower bounds; no target can receive more than this number.
        let extra = referring - targets * perTarget.lowerBound
        let width = min(perTarget.upperBound - perTarget.lowerBound, extra)
        let mean = min((extra + targets - 1) / targets, width)
        return (0..<targets).map { target in
            let own = bits.bits(RowBits.mixed(UInt64(target)))
            var degree = perTarget.lowerBound
            if width > 0 {
                // The number is below or above the mean with a probability that produces the mean. Inside both parts,
                // all numbers are equally likely.
                let isBelow = RowBits.value(own, below: UInt64(width)) >= UInt64(mean)
                let part = isBelow ? 0...mean : mean...width
                degree += part.lowerBound + Int(RowBits.value(RowBits.mixed(own), below: UInt64(part.count)))
            }
            return max(degree, fixed[target] ?? 0)
        }
    }

    private func spread(_ degrees: inout [Int], _ order: Permutation) {
        var missing = referring - degrees.reduce(0, +)
        /// Returns the number of references that can be added to a target, or removed from it if references must be
        /// removed.
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
