/// A counter of the occurrences of items in bounded memory.
///
/// All counts are exact if the number of different items does not exceed the capacity. Otherwise rare items are dropped
/// (Misra and Gries). In this case, ``error`` is the maximum error by which a count is too low, and also the maximum
/// number of occurrences of a dropped item.
///
/// An item that occurs more often than ``error`` is therefore always retained. A second pass that counts the retained
/// items again, and ignores those with at most ``error`` occurrences, finds the most frequent items exactly. If the
/// frequent items do not exceed that limit, for example because all items are different, such a pass finds none.
struct FrequentItems<Item: Hashable> {
    /// The maximum number of retained items.
    let capacity: Int
    /// The retained items with their counts, which can be too low by ``error``.
    private(set) var counts: [Item: Int] = [:]
    /// The maximum error by which a count is too low, or 0 if all counts are exact.
    private(set) var error = 0
    /// The estimate of the number of different items, or `nil` if no item was dropped.
    private var estimate: DistinctEstimate?
    private var added = 0
    private let digest: (Item) -> UInt64

    /// Creates a counter without items.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of retained items, at least 1.
    ///   - digest: A hash of an item that is the same on every machine.
    init(capacity: Int, digest: @escaping (Item) -> UInt64) {
        self.capacity = capacity
        self.digest = digest
    }

    /// A Boolean value that indicates whether all counts are exact.
    var isExact: Bool { error == 0 }

    /// The number of different items, which is an estimate unless ``isExact``.
    ///
    /// The estimate is at most the number of items added.
    var distinctCount: Int { estimate.map { min($0.count, added) } ?? counts.count }

    /// Counts one occurrence of an item.
    ///
    /// If the counter is full and the item is not retained, one occurrence of each retained item is removed together
    /// with the new one.
    ///
    /// - Complexity: O(1) on average. A removal takes O(*capacity*), but there is at most one for every *capacity* + 1
    ///   occurrences.
    mutating func add(_ item: Item) {
        added += 1
        if estimate != nil { estimate?.add(digest(item)) }
        if counts[item] == nil, counts.count >= capacity { return forgetOneOfEach(with: item) }
        counts[item, default: 0] += 1
    }

    /// Drops the new item, and reduces the count of each retained item by one.
    private mutating func forgetOneOfEach(with item: Item) {
        if estimate == nil {
            var all = DistinctEstimate()
            for kept in counts.keys { all.add(digest(kept)) }
            all.add(digest(item))
            estimate = all
        }
        error += 1
        var rest: [Item: Int] = [:]
        rest.reserveCapacity(capacity)
        for (item, count) in counts where count > 1 { rest[item] = count - 1 }
        counts = rest
    }

    /// Returns the most frequent items in descending order; `precedes` is the order of items with equal counts.
    ///
    /// - Parameters:
    ///   - most: The maximum number of items.
    ///   - precedes: The order of items with equal counts, so that the result is the same on every machine.
    /// - Returns: The items with their counts, which can be too low by ``error``.
    /// - Complexity: O(*k* log *k*) in the number *k* of retained items.
    func top(_ most: Int, _ precedes: (Item, Item) -> Bool) -> [(item: Item, count: Int)] {
        let sorted = counts.sorted { left, right in
            left.value == right.value ? precedes(left.key, right.key) : left.value > right.value
        }
        return sorted.prefix(most).map { ($0.key, $0.value) }
    }
}
