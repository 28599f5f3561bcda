import StrataCore

/// A gatherer that counts times of day by hour, in one pass.
final class TimeOfDayGatherer: ColumnGatherer {
    private static let hoursInDay = 24

    /// The first and the last time of day; `nil` if there is none.
    private var span: ClosedRange<TimeOfDay>?
    private var counts = [Int](repeating: 0, count: hoursInDay)

    func look(at value: StoredValue) {
        guard case .timeOfDay(let time) = value else { return }
        span = min(time, span?.lowerBound ?? time)...max(time, span?.upperBound ?? time)
        counts[time.hour] += 1
    }

    func prepareSecondReading() -> Bool { false }
    func count(_ value: StoredValue, in row: RowReader) {}

    func figure(_ reading: ColumnReading) -> ColumnFigure {
        guard let span else { return .none }
        return .timesOfDay(TimeOfDaySummary(least: span.lowerBound, greatest: span.upperBound, counts: counts))
    }
}
