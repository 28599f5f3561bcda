import StrataCore

/// Gathers nothing: identifiers and bytes are no picture.
final class NoGatherer: ColumnGatherer {
    func look(at value: StoredValue) {}
    func prepareSecondReading() -> Bool { false }
    func count(_ value: StoredValue, in row: RowReader) {}
    func figure(_ reading: ColumnReading) -> ColumnFigure { .none }
}
