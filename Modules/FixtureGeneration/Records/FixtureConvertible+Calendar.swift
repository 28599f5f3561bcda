public import StrataCore

extension Day: FixtureConvertible {
    /// Takes a day.
    public init?(fixtureValue: FixtureValue) {
        guard case .day(let day) = fixtureValue else { return nil }
        self = day
    }
}

extension TimeOfDay: FixtureConvertible {
    /// Takes a time of day.
    public init?(fixtureValue: FixtureValue) {
        guard case .timeOfDay(let time) = fixtureValue else { return nil }
        self = time
    }
}
