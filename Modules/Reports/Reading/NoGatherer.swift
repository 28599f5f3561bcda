import StrataCore

/// A gatherer for columns without a figure, such as identifiers and bytes.
final class NoGatherer: ColumnGatherer {
    func look(at value: StoredValue) {}
    func prepareSecondReading() -> Bool { false }
    func count(_ value: StoredValue, in row: RowReader) {}
    func figure(_ reading: ColumnReading) -> ColumnFigure { .none }
}
