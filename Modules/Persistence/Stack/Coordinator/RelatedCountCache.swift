import StrataCore

/// How many objects some relationships lead to, as far as it is known: the next object of ten thousand is then counted, and not all of them again.
///
/// A number holds as long as the store has the ``ChangeMark`` with which it was counted.
final class RelatedCountCache: Sendable {
    /// Beyond so many numbers all are forgotten.
    private static let maximumCount = 1_000

    struct Key: Hashable, Sendable {
        let entity: String
        let relationship: String
        let owner: Int64
    }

    private struct Entry {
        let count: Int
        let mark: ChangeMark
    }

    private let entries = Guarded<[Key: Entry]>([:])

    /// The number, if it is known.
    func count(_ key: Key, at mark: ChangeMark) -> Int? {
        entries.withLock { $0[key].flatMap { $0.mark == mark ? $0.count : nil } }
    }

    /// Keeps a number that was counted, or follows from a save, when the store had the mark.
    func keep(_ count: Int, _ key: Key, at mark: ChangeMark) {
        entries.withLock { entries in
            if entries.count >= Self.maximumCount { entries = [:] }
            entries[key] = Entry(count: count, mark: mark)
        }
    }
}

/// The numbers that a save leaves, once it succeeds.
struct ExpectedCounts {
    private var counts: [(key: RelatedCountCache.Key, count: Int, mark: ChangeMark)] = []

    /// A number that a save leaves.
    ///
    /// - Parameters:
    ///   - count: The number.
    ///   - key: Of what.
    ///   - mark: The store's mark before it was counted.
    mutating func expect(_ count: Int, _ key: RelatedCountCache.Key, since mark: ChangeMark) {
        counts.append((key, count, mark.afterOneCommit))
    }

    /// Remembers the numbers, after the save.
    ///
    /// Where somebody else wrote between the counting and the save, no mark will be the one that is kept here.
    func keep(in cache: RelatedCountCache) {
        for (key, count, mark) in counts { cache.keep(count, key, at: mark) }
    }
}
