import Foundation
import Testing

@testable import StrataFixtures

@Suite("Instants in descriptions")
struct FixtureInstantTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let text: String
        let seconds: Int64
        let written: String
        var testDescription: String { text }
    }

    static let forms: [Form] = [
        Form(text: "2001-01-01", seconds: 0, written: "2001-01-01T00:00:00Z"),
        Form(text: "2001-01-01T00:00:01Z", seconds: 1, written: "2001-01-01T00:00:01Z"),
        Form(text: "2000-12-31T23:59:59Z", seconds: -1, written: "2000-12-31T23:59:59Z"),
        Form(text: "1970-01-01", seconds: -978_307_200, written: "1970-01-01T00:00:00Z"),
        Form(text: "2024-02-29T12:34:56Z", seconds: 730_902_896, written: "2024-02-29T12:34:56Z"),
        Form(text: "0000-01-01", seconds: -63_145_526_400, written: "0000-01-01T00:00:00Z"),
        Form(text: "0000-02-29", seconds: -63_140_428_800, written: "0000-02-29T00:00:00Z"),
        Form(text: "9999-12-31T23:59:59Z", seconds: 252_423_993_599, written: "9999-12-31T23:59:59Z"),
    ]

    @Test("a date with or without a time is read as an instant and written with the time", arguments: forms)
    func form(_ form: Form) throws {
        let instant = try #require(FixtureInstant(form.text))
        #expect(instant.seconds == form.seconds)
        #expect(instant.description == form.written)
        #expect(FixtureInstant(form.written) == instant)
        #expect(instant.date == Date(timeIntervalSinceReferenceDate: Double(form.seconds)))
        #expect(FixtureInstant(instant.date) == instant)
    }

    static let refused: [String] = [
        "", "2001", "2001-01-1", "2001-1-01", "01-01-2001", "2001/01/01", "2001-02-29", "2001-13-01", "2001-00-01",
        "2001-01-00", "+001-01-01", "-001-01-01", "2001-01-01 ", " 2001-01-01", "2001-01-01T00:00:00",
        "2001-01-01T00:00:00z", "2001-01-01t00:00:00Z", "2001-01-01 00:00:00Z", "2001-01-01T24:00:00Z",
        "2001-01-01T23:60:00Z", "2001-01-01T23:59:60Z", "2001-01-01T00:00:00+00:00", "2001-01-01T00:00:00.0Z",
        "2001-01-01T00-00-00Z", "10000-01-01", "2001-0a-01", "２００１-01-01", "2001-01-01T0:00:000Z", "2001-01-0１",
    ]

    @Test("a text that is not a valid instant is rejected", arguments: refused)
    func refuse(_ text: String) {
        #expect(FixtureInstant(text) == nil)
    }

    @Test("seconds outside the years 0 to 9999 and fractions of a second are rejected")
    func range() {
        #expect(FixtureInstant(seconds: -63_145_526_401) == nil)
        #expect(FixtureInstant(seconds: 252_423_993_600) == nil)
        #expect(FixtureInstant(seconds: .min) == nil)
        #expect(FixtureInstant(seconds: .max) == nil)
        #expect(FixtureInstant(Date(timeIntervalSinceReferenceDate: 0.5)) == nil)
        #expect(FixtureInstant(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
        #expect(FixtureInstant(Date(timeIntervalSinceReferenceDate: .infinity)) == nil)
        #expect(FixtureInstant(Date.distantFuture) == FixtureInstant("4001-01-01"))
    }

    @Test(
        "the day of an instant is rounded down, also before 2001",
        arguments: [-86_401, -86_400, -1, 0, 86_399])
    func day(_ seconds: Int64) throws {
        let instant = try #require(FixtureInstant(seconds: seconds))
        #expect(instant.day == Int64((Double(seconds) / 86_400).rounded(.down)))
        #expect(instant.isMidnight == (seconds % 86_400 == 0))
    }
}
