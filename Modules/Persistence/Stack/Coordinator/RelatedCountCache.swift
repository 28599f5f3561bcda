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
    private struct Expectation {
        let key: RelatedCountCache.Key
        let count: Int
        let destination: String
        let mark: ChangeMark
    }

    private var expectations: [Expectation] = []

    mutating func expect(_ count: Int, _ key: RelatedCountCache.Key, of destination: String, since mark: ChangeMark) {
        expectations.append(Expectation(key: key, count: count, destination: destination, mark: mark))
    }

    /// After the save: keeps the numbers where nobody else wrote since they were counted.
    func keep(in coordinator: PersistentStoreCoordinator) {
        for expectation in expectations {
            // Where the mark cannot be read the numbers are counted again; the save itself is stored.
            guard let mark = try? coordinator.store.changeMark(of: expectation.destination),
                expectation.mark.isFollowed(by: mark)
            else { continue }
            coordinator.relatedCounts.keep(expectation.count, expectation.key, at: mark)
        }
    }
}
