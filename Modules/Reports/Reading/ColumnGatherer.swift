import StrataCore

/// A gatherer of statistics on one column in one or two passes over all rows.
///
/// The first pass determines the input of the second pass: the range of the bins, or the candidates for lists.
protocol ColumnGatherer: AnyObject {
    /// Processes a value of the column that is not null, in the first pass.
    func look(at value: StoredValue)

    /// Prepares the second pass, and returns `true` if a second pass is needed.
    func prepareSecondReading() -> Bool

    /// Processes a value of the column, which can be null, in the second pass.
    func count(_ value: StoredValue, in row: RowReader) throws

    /// Returns the figure of the column; it can still query the store.
    func figure(_ reading: ColumnReading) throws -> ColumnFigure
}
