import StrataCore

/// The distribution of a date attribute with at least one value within the calendar.
struct DateSummary: Sendable {
    /// The number of values within the calendar.
    let count: Int
    /// The number of values whose years are outside the calendar.
    let beyondCount: Int
    let least: CalendarDay
    let greatest: CalendarDay
    let bins: DateBins
    let counts: [Int]
}
