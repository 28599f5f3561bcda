import Foundation
import Testing

@testable import StrataFixtures

@Suite("Conversion of instants to dates")
struct IntervalTests {
    @Test(
        "a hostile instant is converted to the nearest time interval of type Double",
        arguments: HostileDates.seconds.map { [$0.seconds, Int64($0.nanoseconds)] })
    func interval(_ instant: [Int64]) throws {
        let made = FixtureCell.interval(instant[0], Int32(instant[1]))
        // Foundation's decimal of the same number, converted to the nearest double.
        let digits = Decimal(instant[0]) + Decimal(instant[1]) / 1_000_000_000
        #expect(made == Double("\(digits)"))
    }
}
