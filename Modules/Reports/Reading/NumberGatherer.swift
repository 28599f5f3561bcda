import StrataPersistence

/// Gathers the distribution of numbers: the range and the mean first, then the bins and the median.
final class NumberGatherer: ColumnGatherer {
    private let kind: NumberKind
    private var count = 0
    private var least = UInt64.max
    private var greatest = UInt64.min
    private var mean = MeanAccumulator()
    private var bins: NumberBins?
    private var counts: [Int] = []
    private var ranks = RankGrid(0...0)

    init(_ kind: NumberKind) { self.kind = kind }

    func look(at value: StoredValue) {
        guard let key = kind.key(of: value) else { return }
        count += 1
        least = min(least, key)
        greatest = max(greatest, key)
        mean.add(key, kind)
    }

    func prepareSecondReading() -> Bool {
        guard count > 0 else { return false }
        let bins = NumberBins(kind, least: least, greatest: greatest)
        counts = [Int](repeating: 0, count: bins.count)
        ranks = RankGrid(least...greatest)
        self.bins = bins
        return true
    }

    func count(_ value: StoredValue, in row: RowReader) {
        guard let bins, let key = kind.key(of: value) else { return }
        counts[bins.index(ofKey: key)] += 1
        ranks.add(key)
    }

    func figure(_ reading: ColumnReading) throws -> ColumnFigure {
        guard let bins, let mean = mean.mean(kind) else { return .none }
        let search = RankSearch(kind, reading)
        let lower = try search.key(ofRank: (count - 1) / 2, in: ranks)
        let upper = count.isMultiple(of: 2) ? try search.key(ofRank: count / 2, in: ranks) : lower
        return .numbers(
            NumberSummary(
                kind: kind, count: count, least: kind.number(ofKey: least), greatest: kind.number(ofKey: greatest),
                mean: mean, median: kind.middle(lower, upper),
                medianPlace: (bins.fraction(ofKey: lower) + bins.fraction(ofKey: upper)) / 2,
                bins: bins, counts: counts))
    }
}

/// Finds the number of a rank exactly, by asking the store for ever smaller ranges.
struct RankSearch {
    /// So many numbers are sorted in memory: 512 KiB.
    private static let sortedCount = 1 << 16

    private let kind: NumberKind
    private let reading: ColumnReading

    init(_ kind: NumberKind, _ reading: ColumnReading) {
        self.kind = kind
        self.reading = reading
    }

    /// The key of the number with a rank.
    ///
    /// - Parameters:
    ///   - rank: From 0, below the number of keys in `grid`.
    ///   - grid: All keys, counted.
    /// - Returns: The key.
    /// - Throws: What hinders reading.
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
