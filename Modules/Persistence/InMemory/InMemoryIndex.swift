/// Which rows have which value in one column: the keys of values with the identifiers of rows, in the order of both.
///
/// It is kept in short pieces, so that a change moves few entries, and a change after a copy copies one piece and the list of them. A key has all its
/// rows next to each other by identifier, however many they are.
struct InMemoryIndex: Sendable {
    /// A row under the key of its value.
    struct IndexEntry: Sendable {
        let key: Int64
        let id: Int64

        /// By key, then by identifier.
        func precedes(_ other: IndexEntry) -> Bool { key == other.key ? id < other.id : key < other.key }
    }

    /// The most entries of a piece, 4 KiB: moving half of them takes about as long as finding the place.
    private static let maximumCount = 256
    /// How full the pieces of a new index are, so that the next entries fit.
    private static let usualCount = 192

    /// The pieces, in order; none is empty.
    private var pieces: [[IndexEntry]] = []

    /// An index without rows.
    init() {}

    /// An index of entries in any order.
    ///
    /// - Complexity: O(*n* log *n*); nothing is moved as one after the other would.
    init(_ entries: [IndexEntry]) {
        let sorted = entries.sorted { $0.precedes($1) }
        pieces = stride(from: 0, to: sorted.count, by: Self.usualCount).map { start in
            Array(sorted[start..<min(start + Self.usualCount, sorted.count)])
        }
    }

    /// Enters a row that is not there under this key.
    ///
    /// - Complexity: O(log *n*), and moving at most one piece.
    mutating func insert(_ entry: IndexEntry) {
        guard !pieces.isEmpty else {
            pieces = [[entry]]
            return
        }
        let piece = piece(of: entry)
        pieces[piece].insert(entry, at: Self.place(of: entry, in: pieces[piece]))
        guard pieces[piece].count > Self.maximumCount else { return }
        let middle = pieces[piece].count / 2
        let upper = Array(pieces[piece][middle...])
        pieces[piece].removeSubrange(middle...)
        pieces.insert(upper, at: piece + 1)
    }

    /// Takes a row out; does nothing when it is not there under this key.
    ///
    /// - Complexity: O(log *n*), and moving at most one piece.
    mutating func remove(_ entry: IndexEntry) {
        guard !pieces.isEmpty else { return }
        let piece = piece(of: entry)
        let place = Self.place(of: entry, in: pieces[piece])
        guard place < pieces[piece].count, !entry.precedes(pieces[piece][place]) else { return }
        pieces[piece].remove(at: place)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    /// Appends the identifiers of the rows under a key, ascending, but not more than a limit in all.
    ///
    /// - Returns: Whether the limit left none out.
    func appendIDs(of key: Int64, to ids: inout [Int64], limit: Int) -> Bool {
        guard !pieces.isEmpty else { return true }
        let first = IndexEntry(key: key, id: .min)
        var piece = piece(of: first)
        var place = Self.place(of: first, in: pieces[piece])
        while piece < pieces.count {
            for entry in pieces[piece][place...] {
                guard entry.key == key else { return true }
                guard ids.count < limit else { return false }
                ids.append(entry.id)
            }
            (piece, place) = (piece + 1, 0)
        }
        return true
    }

    /// The piece where an entry is or belongs: the last that does not begin behind it, or the first.
    private func piece(of entry: IndexEntry) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if entry.precedes(pieces[middle][0]) { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    /// The place of the first entry in a piece that does not precede another.
    private static func place(of entry: IndexEntry, in piece: [IndexEntry]) -> Int {
        var (low, high) = (0, piece.count)
        while low < high {
            let middle = (low + high) / 2
            if piece[middle].precedes(entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
