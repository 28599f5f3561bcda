import StrataCore

/// The distribution of an attribute of times of day with at least one value.
struct TimeOfDaySummary: Sendable {
    let least: TimeOfDay
    let greatest: TimeOfDay
    /// How many values there are in each of the 24 hours.
    let counts: [Int]

    /// How many values there are.
    var count: Int { counts.reduce(0, +) }
}
