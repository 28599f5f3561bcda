import StrataCore

/// Gathers what is said of one column in one or two readings of all rows.
///
/// The first reading finds what the second one needs: the range for bins, the candidates for lists.
protocol ColumnGatherer: AnyObject {
    /// Takes a value that is not null, in the first reading.
    func look(at value: StoredValue)

    /// Whether there is to be a second reading.
    func prepareSecondReading() -> Bool

    /// Takes a value, which may be null, in the second reading.
    func count(_ value: StoredValue, in row: RowReader) throws

    /// What was found; the column may still be asked.
    func figure(_ reading: ColumnReading) throws -> ColumnFigure
}
