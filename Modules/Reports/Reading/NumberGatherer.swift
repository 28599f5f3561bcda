import StrataCore

/// A gatherer of numbers: the first pass finds range and mean, and the second pass counts by bins and finds the median.
///
/// Integers, decimals and doubles are gathered as keys in the order of the numbers; see ``NumberKind``. The median of
/// an even count of numbers is the mean of the two middle numbers, so that the search runs for two ranks.
final class NumberGatherer: ColumnGatherer {
    private let kind: NumberKind
    private var count = 0
    private var least = UInt64.max
    private var greatest = UInt64.min
    private var mean = MeanAccumulator()
    private var bins: NumberBins?
    private var counts: [Int] = []
    /// The counts of the keys in narrow buckets, from which the search for the median begins.
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
