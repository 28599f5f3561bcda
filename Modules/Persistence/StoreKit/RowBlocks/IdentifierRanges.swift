/// The identifiers of rows as ranges of consecutive ones; `nil` ranges if there are too many.
package struct IdentifierRanges: Sendable {
    /// The maximum count of ranges.
    private static let maximumCount = 10_000

    /// The ranges in the order in which they were added.
    package private(set) var ranges: [ClosedRange<Int64>]? = []

    package init() {}

    /// Creates ranges from identifiers in ascending order.
    package init(_ ids: some Sequence<Int64>) {
        for id in ids { insert(id) }
    }

    /// Adds an identifier; extends the last range if the identifier follows it.
    package mutating func insert(_ id: Int64) {
        guard let last = ranges?.last, let count = ranges?.count else {
            ranges?.append(id...id)
            return
        }
        if last.upperBound < .max, id == last.upperBound + 1 {
            ranges?[count - 1] = last.lowerBound...id
        } else if count == Self.maximumCount {
            ranges = nil
        } else {
            ranges?.append(id...id)
        }
    }

    /// Returns the ranges without some identifiers.
    package func without(_ removed: Set<Int64>) -> IdentifierRanges {
        guard let ranges, !removed.isEmpty else { return self }
        var rest = IdentifierRanges()
        for range in ranges { for id in range where !removed.contains(id) { rest.insert(id) } }
        return rest
    }
}
