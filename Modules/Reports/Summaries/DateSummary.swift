import StrataCore

/// The distribution of a date attribute with at least one value within the calendar.
struct DateSummary: Sendable {
    /// The number of dates within the calendar.
    let count: Int
    /// The number of dates whose years are outside the calendar.
    let beyondCount: Int
    /// The day of the first date, in UTC.
    let least: CalendarDay
    /// The day of the last date, in UTC.
    let greatest: CalendarDay
    let bins: DateBins
    /// The number of dates in each bin, without the dates outside the calendar.
    let counts: [Int]
}
