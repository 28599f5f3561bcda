import StrataCore

/// The distribution of a date attribute with at least one value within the calendar.
struct DateSummary: Sendable {
    /// How many values there are within the calendar.
    let count: Int
    /// How many lie in years that no calendar has.
    let beyondCount: Int
    let least: CalendarDay
    let greatest: CalendarDay
    let bins: DateBins
    let counts: [Int]
}
