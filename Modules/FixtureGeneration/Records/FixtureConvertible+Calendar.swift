public import StrataCore

extension Day: FixtureConvertible {
    /// Creates a day from a day value.
    public init?(fixtureValue: FixtureValue) {
        guard case .day(let day) = fixtureValue else { return nil }
        self = day
    }
}

extension TimeOfDay: FixtureConvertible {
    /// Creates a time of day from a time-of-day value.
    public init?(fixtureValue: FixtureValue) {
        guard case .timeOfDay(let time) = fixtureValue else { return nil }
        self = time
    }
}
