import StrataCore

/// A gatherer of statistics on one column in one or two passes over all rows.
///
/// The first pass determines the input of the second pass: the range of the bins, or the candidates for lists.
///
/// ``EntityReading`` calls the methods in this order: `look(at:)` for each row, `prepareSecondReading()` once,
/// `count(_:in:)` for each row if that returned `true`, and `figure(_:)` once. Both passes read the same snapshot, so
/// they receive the same values. A gatherer is used on one thread. Its memory must not depend on the number of rows.
protocol ColumnGatherer: AnyObject {
    /// Processes a value of the column that is not null, in the first pass.
    func look(at value: StoredValue)

    /// Prepares the second pass, and returns `true` if a second pass is needed.
    func prepareSecondReading() -> Bool

    /// Processes a value of the column, which can be null, in the second pass.
    func count(_ value: StoredValue, in row: RowReader) throws

    /// Returns the figure of the column; it can still query the store.
    ///
    /// - Parameter reading: The column, with the count of its nulls and the snapshot.
    /// - Returns: The figure, or `.none` if there is nothing to draw.
    /// - Throws: The errors of reading the store, or `CancellationError`.
    func figure(_ reading: ColumnReading) throws -> ColumnFigure
}
