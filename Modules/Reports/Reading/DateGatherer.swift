import Foundation
import StrataCore

/// A gatherer of instants and days: the first pass finds the span, and the second pass counts by bins.
///
/// A day is counted as the instant at which it begins in UTC. Dates whose years are outside `CalendarDay.years` are
/// counted separately, because a single one would make the bins useless for all others.
final class DateGatherer: ColumnGatherer {
    private var count = 0
    /// The number of dates whose years are outside the calendar.
    private var beyondCount = 0
    /// The first and the last date within the calendar; `nil` if there is none.
    private var span: ClosedRange<Date>?
    private var histogram: (bins: DateBins, counts: [Int])?

    func look(at value: StoredValue) {
        guard let date = Self.date(value) else { return }
        if let span {
            // A date within the current span is within the calendar, and it does not change the span.
            guard !span.contains(date) else {
                count += 1
                return
            }
        }
        guard CalendarDay(date) != nil else {
            beyondCount += 1
            return
        }
        count += 1
        span = min(date, span?.lowerBound ?? date)...max(date, span?.upperBound ?? date)
    }

    /// Returns the instant of a value; a day is represented by its beginning in UTC.
    private static func date(_ value: StoredValue) -> Date? {
        switch value {
        case .date(let date): date
        case .day(let day): day.startInUTC
        default: nil
        }
    }

    func prepareSecondReading() -> Bool {
        guard let span else { return false }
        let bins = DateBins(span.lowerBound, span.upperBound)
        histogram = (bins, [Int](repeating: 0, count: bins.count))
        return true
    }

    func count(_ value: StoredValue, in row: RowReader) {
        guard let date = Self.date(value), let index = histogram?.bins.index(of: date) else { return }
        histogram?.counts[index] += 1
    }

    func figure(_ reading: ColumnReading) -> ColumnFigure {
        guard let histogram, let span, let least = CalendarDay(span.lowerBound),
            let greatest = CalendarDay(span.upperBound)
        else { return beyondCount > 0 ? .datesBeyond(beyondCount) : .none }
        return .dates(
            DateSummary(
                count: count, beyondCount: beyondCount, least: least, greatest: greatest, bins: histogram.bins,
                counts: histogram.counts))
    }
}
