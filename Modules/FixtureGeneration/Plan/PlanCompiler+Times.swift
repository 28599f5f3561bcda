import StrataCore

extension PlanCompiler {
    /// Returns the draw of times of day that are a number of seconds apart.
    func times(_ start: TimeOfDay, _ end: TimeOfDay?, step: Int) throws(FixtureError) -> Draw {
        guard (1...86_400).contains(step) else {
            throw FixtureError(.invalidDescription, "\"step\" must be from 1 to 86400 seconds, not \(step)")
        }
        guard start.nanosecond == 0, end?.nanosecond ?? 0 == 0 else {
            throw FixtureError(.invalidDescription, "generated times are whole seconds; omit the fractions")
        }
        let first = start.nanosecondsSinceMidnight / 1_000_000_000
        let behind = end.map { $0.nanosecondsSinceMidnight / 1_000_000_000 } ?? CivilDay.secondsInDay
        guard first < behind else {
            throw FixtureError(
                .unsatisfiable, "there is no time from \(start) up to \(end.map { "\($0)" } ?? "the end of the day")")
        }
        let count = (behind - first + Int64(step) - 1) / Int64(step)
        return .instants(first: first, count: UInt64(count), step: Int64(step))
    }
}
