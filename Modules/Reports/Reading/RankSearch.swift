import StrataCore

/// An exact search for the number with a rank in sorted order, which queries ever smaller ranges of numbers.
///
/// Each step finds the bucket that contains the rank. If the bucket has few numbers, the search reads and sorts them.
/// Otherwise it reads the numbers of the bucket into a new grid with narrower buckets. The memory is therefore
/// constant, and usually one step is sufficient.
struct RankSearch {
    /// The maximum count of numbers that are sorted in memory, which takes 512 KiB.
    private static let sortedCount = 1 << 16

    private let kind: NumberKind
    private let reading: ColumnReading

    init(_ kind: NumberKind, _ reading: ColumnReading) {
        self.kind = kind
        self.reading = reading
    }

    /// Returns the key of the number with a rank in sorted order.
    ///
    /// - Parameters:
    ///   - rank: The rank, from 0 and less than the number of keys in `grid`.
    ///   - grid: The counts of all keys.
    /// - Returns: The key.
    /// - Throws: The errors of reading the store.
    func key(ofRank rank: Int, in grid: RankGrid) throws -> UInt64 {
        var rank = rank
        var grid = grid
        while let bucket = grid.bucket(ofRank: rank) {
            if bucket.range.count == 1 { return bucket.range.lowerBound }
            rank = bucket.rank
            if bucket.count <= Self.sortedCount {
                var keys: [UInt64] = []
                keys.reserveCapacity(bucket.count)
                try forEachKey(in: bucket.range) { keys.append($0) }
                keys.sort()
                if keys.indices.contains(rank) { return keys[rank] }
                break
            }
            grid = RankGrid(bucket.range)
            try forEachKey(in: bucket.range) { grid.add($0) }
        }
        throw PersistenceError(
            .corrupt, "the numbers changed while they were read", entity: reading.entity.name,
            attribute: reading.column)
    }

    /// Passes the key of each number in a range to `body`; the store selects the rows.
    private func forEachKey(in range: ClosedRange<UInt64>, _ body: (UInt64) -> Void) throws {
        guard let index = reading.entity.columnIndex(reading.column) else { return }
        let property = FetchOperand.property(reading.column)
        let request = StoreRequest(
            reading.entity.name,
            where: .all([
                .compare(property, .greaterOrEqual, .constant(kind.value(ofKey: range.lowerBound))),
                .compare(property, .lessOrEqual, .constant(kind.value(ofKey: range.upperBound))),
            ]))
        try reading.rows(request) { row in
            guard let key = kind.key(of: try row.value(at: index)), range.contains(key) else { return }
            body(key)
        }
    }
}
