/// An index of an entity's rows by their values in some columns, sorted by key and then by identifier.
///
/// The entries are stored in short arrays (pieces). A change therefore moves few entries. If the index was copied, the
/// next change copies only one piece and the list of pieces. The entries of a key are adjacent and sorted by
/// identifier.
struct InMemoryIndex: Sendable {
    /// An entry of an index: a row's identifier, under the key of the row's value.
    struct IndexEntry: Sendable {
        let key: Int64
        let id: Int64

        /// Returns a Boolean value that indicates whether this entry precedes another one, by key and then by
        /// identifier.
        func precedes(_ other: IndexEntry) -> Bool { key == other.key ? id < other.id : key < other.key }
    }

    /// The maximum count of entries in a piece (4 KiB); moving half of them takes about as long as finding a position.
    private static let maximumCount = 256
    /// The count of entries in the pieces of a new index, which leaves room for new entries.
    private static let usualCount = 192

    /// The pieces, in order; none is empty.
    private var pieces: [[IndexEntry]] = []

    /// Creates an index without rows.
    init() {}

    /// Creates an index from entries, which need not be sorted.
    ///
    /// - Complexity: O(*n* log *n*); in contrast to single insertions, no entries are moved.
    init(_ entries: [IndexEntry]) {
        let sorted = entries.sorted { $0.precedes($1) }
        pieces = stride(from: 0, to: sorted.count, by: Self.usualCount).map { start in
            Array(sorted[start..<min(start + Self.usualCount, sorted.count)])
        }
    }

    /// Inserts an entry that the index does not contain.
    ///
    /// - Complexity: O(log *n*), and at most one piece is moved.
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

    /// Removes an entry; does nothing if the index does not contain it.
    ///
    /// - Complexity: O(log *n*), and at most one piece is moved.
    mutating func remove(_ entry: IndexEntry) {
        guard !pieces.isEmpty else { return }
        let piece = piece(of: entry)
        let place = Self.place(of: entry, in: pieces[piece])
        guard place < pieces[piece].count, !entry.precedes(pieces[piece][place]) else { return }
        pieces[piece].remove(at: place)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    /// Appends the ascending identifiers of the rows under a key to `ids`, until `ids` contains `limit` identifiers.
    ///
    /// - Returns: A Boolean value that indicates whether all identifiers under the key were appended.
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

    /// Returns the piece that contains an entry or its insertion point.
    ///
    /// This is the last piece that does not begin after the entry, or the first piece.
    private func piece(of entry: IndexEntry) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if entry.precedes(pieces[middle][0]) { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    /// Returns the index of the first entry in a piece that does not precede an entry.
    private static func place(of entry: IndexEntry, in piece: [IndexEntry]) -> Int {
        var (low, high) = (0, piece.count)
        while low < high {
            let middle = (low + high) / 2
            if piece[middle].precedes(entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
