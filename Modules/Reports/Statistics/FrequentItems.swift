/// Counts how often each of many items occurs, in bounded memory.
///
/// As long as there are no more different items than the capacity, all counts are right. Beyond that the rare ones
/// are forgotten (Misra and Gries): ``error`` is then how much any count may be too low, and so how often an item may
/// occur that is not here at all.
struct FrequentItems<Item: Hashable> {
    /// The most items that are kept.
    let capacity: Int
    /// The items that are kept, each with its count, which may be too low by ``error``.
    private(set) var counts: [Item: Int] = [:]
    /// How much a count may be too low; 0 where all are right.
    private(set) var error = 0
    /// How many different items there were; only where some were forgotten.
    private var estimate: DistinctEstimate?
    private var added = 0
    private let digest: (Item) -> UInt64

    /// Nothing counted yet.
    ///
    /// - Parameters:
    ///   - capacity: At least 1.
    ///   - digest: A hash of an item that is the same on every machine.
    init(capacity: Int, digest: @escaping (Item) -> UInt64) {
        self.capacity = capacity
        self.digest = digest
    }

    /// Whether every item was counted.
    var isExact: Bool { error == 0 }

    /// How many different items there were; an estimate unless ``isExact``.
    ///
    /// No estimate is more than there were items at all.
    var distinctCount: Int { estimate.map { min($0.count, added) } ?? counts.count }

    /// Counts an item once.
    mutating func add(_ item: Item) {
        added += 1
        if estimate != nil { estimate?.add(digest(item)) }
        if counts[item] == nil, counts.count >= capacity { return forgetOneOfEach(with: item) }
        counts[item, default: 0] += 1
    }

    /// The new item and one of each that is kept cancel each other out.
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

    /// The items that occur most often, most often first; `precedes` is the order of those that occur equally often.
    func top(_ most: Int, _ precedes: (Item, Item) -> Bool) -> [(item: Item, count: Int)] {
        let sorted = counts.sorted { left, right in
            left.value == right.value ? precedes(left.key, right.key) : left.value > right.value
        }
        return sorted.prefix(most).map { ($0.key, $0.value) }
    }
}
