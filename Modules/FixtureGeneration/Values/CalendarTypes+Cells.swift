import StrataCore

/// Days are generated as their first instants in UTC.
extension Day {
    var fixtureCell: FixtureCell {
        .date(seconds: Int64(daysSinceReferenceDay) * CivilDay.secondsInDay, nanoseconds: 0)
    }

    init?(fixtureSeconds seconds: Int64) {
        self.init(daysSinceReferenceDay: Int(seconds).flooredQuotient(by: DateText.secondsInDay))
    }
}

/// Times of day are generated as instants of 2001-01-01.
extension TimeOfDay {
    private static let nanosecondsInSecond: Int64 = 1_000_000_000

    var fixtureCell: FixtureCell {
        let (seconds, rest) = nanosecondsSinceMidnight.quotientAndRemainder(dividingBy: Self.nanosecondsInSecond)
        return .date(seconds: seconds, nanoseconds: Int32(rest))
    }

    init?(fixtureSeconds seconds: Int64, nanoseconds: Int32) {
        self.init(nanosecondsSinceMidnight: seconds * Self.nanosecondsInSecond + Int64(nanoseconds))
    }
}
