import StrataCore

/// The distribution of a time-of-day attribute with at least one value.
struct TimeOfDaySummary: Sendable {
    /// The first time of day.
    let least: TimeOfDay
    /// The last time of day.
    let greatest: TimeOfDay
    /// The number of values in each of the 24 hours.
    let counts: [Int]

    /// The number of values.
    var count: Int { counts.reduce(0, +) }
}
