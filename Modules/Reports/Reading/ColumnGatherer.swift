import StrataPersistence

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

/// What a gatherer may still ask when the rows are read.
struct ColumnReading {
    let snapshot: any StoreSnapshot
    let model: ManagedObjectModel
    let entity: EntityDescription
    let column: String
    let nullCount: Int
    let options: ReportOptions
}

/// Gathers nothing: identifiers and bytes are no picture.
final class NoGatherer: ColumnGatherer {
    func look(at value: StoredValue) {}
    func prepareSecondReading() -> Bool { false }
    func count(_ value: StoredValue, in row: RowReader) {}
    func figure(_ reading: ColumnReading) -> ColumnFigure { .none }
}

/// Counts true and false.
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
