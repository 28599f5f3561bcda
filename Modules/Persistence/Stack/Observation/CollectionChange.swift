/// The difference between two lists, as steps that a list in a user interface performs.
///
/// To change the old list into the new one: remove the elements at ``removals`` and the old indexes of ``moves``, from
/// the last to the first; insert those at ``insertions`` and the new indexes of ``moves``, from the first to the last;
/// then replace the elements at ``updates``. An element that moved and changed is in both lists.
public struct CollectionChange: Sendable, Hashable {
    /// One element at another index.
    public struct Move: Sendable, Hashable {
        /// The index of the element in the old list.
        public let from: Int
        /// The index of the element in the new list.
        public let to: Int
    }

    /// The indexes in the old list of the elements that the new list lacks, in descending order.
    public let removals: [Int]
    /// The indexes in the new list of the elements that the old list lacks, in ascending order.
    public let insertions: [Int]
    /// The elements at another place among the elements that both lists have, in ascending order of their new indexes.
    public let moves: [Move]
    /// The indexes in the new list of the elements that both lists have and that changed, in ascending order.
    public let updates: [Int]

    /// Compares two lists of identifiers, each with the version of its element.
    ///
    /// - Complexity: O(*n* log *n*) in the count of elements.
    init<ID: Hashable>(from old: [(id: ID, version: Int64)], to new: [(id: ID, version: Int64)]) {
        let places = Dictionary(old.indices.map { (old[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = Set(new.map(\.id))
        removals = old.indices.reversed().filter { !kept.contains(old[$0].id) }
        let common = new.indices.compactMap { index in places[new[index].id].map { (from: $0, to: index) } }
        insertions = new.indices.filter { places[new[$0].id] == nil }
        updates = common.filter { old[$0.from].version != new[$0.to].version }.map(\.to)
        let steady = Self.longestAscending(common.map(\.from))
        moves = common.indices.filter { !steady.contains($0) }.map { Move(from: common[$0].from, to: common[$0].to) }
    }

    /// Returns the positions of a longest ascending subsequence of different numbers.
    private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
        // The position of the least number that ends a subsequence of each length.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            before[position] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var found: Set<Int> = []
        var position = ends.last
        while let current = position {
            found.insert(current)
            position = before[current]
        }
        return found
    }
}

/// The records of an observed request, and the difference from the records before.
public struct ObservedRecords<Record: ManagedRecord>: Sendable {
    /// The records in the order of the request.
    public let records: [Record]
    /// The difference from the previous element; at first, all records are insertions.
    public let change: CollectionChange
}
