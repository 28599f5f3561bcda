import StrataCore

/// A gatherer that counts true and false values, in one pass.
final class BooleanGatherer: ColumnGatherer {
    private var trueCount = 0
    private var falseCount = 0

    func look(at value: StoredValue) {
        guard case .boolean(let isTrue) = value else { return }
        if isTrue { trueCount += 1 } else { falseCount += 1 }
    }

    func prepareSecondReading() -> Bool { false }
    func count(_ value: StoredValue, in row: RowReader) {}

    func figure(_ reading: ColumnReading) -> ColumnFigure {
        trueCount + falseCount == 0 ? .none : .booleans(trueCount: trueCount, falseCount: falseCount)
    }
}
