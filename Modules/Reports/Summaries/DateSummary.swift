import StrataCore

/// The distribution of a date attribute with at least one value within the calendar.
struct DateSummary: Sendable {
    /// The number of dates within the calendar.
    let count: Int
    /// The number of dates whose years are outside the calendar.
    let beyondCount: Int
    let least: CalendarDay
    let greatest: CalendarDay
    let bins: DateBins
    let counts: [Int]
}
