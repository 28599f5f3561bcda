import Foundation
import StrataTestSupport
import Testing

@testable import StrataCore

/// The instants that a `Date` can hold exactly: those that are written as they were read.
@Suite("Instants to the nanosecond")
struct ExactInstantTests {
    /// Returns the text that is written for a text that was read.
    private func written(_ text: String) throws -> (text: String, isHeld: Bool) {
        let instant = try DateText.instant(Array(text.utf8).span)
        var bytes: [UInt8] = []
        try DateText.append(instant.date, to: &bytes)
        return (String(decoding: bytes, as: UTF8.self), instant.isHeldByDate)
    }

    @Test(
        "a date represents an instant exactly if the date is written as the same text as the instant",
        arguments: [
            ("2003-02-08T19:00:40.891775658Z", false), ("2003-02-08T19:00:40.891775Z", true),
            ("1600-08-03T04:18:12.635306Z", false), ("2038-05-26T10:51:49.0188547Z", false),
            ("2001-01-01T00:00:00.000000001Z", true), ("2001-04-07T00:00:00.123456789Z", true),
            ("+999999-12-31T23:59:59Z", true), ("-999999-01-01T00:00:00.123Z", false),
            ("9999-12-31T23:59:59.999Z", true), ("9999-12-31T23:59:59.99999Z", false),
            ("2262-04-11T23:47:16.854775Z", true), ("2024-02-29T12:00:00.5Z", true),
        ])
    func examples(text: String, isHeld: Bool) throws {
        let found = try written(text)
        #expect(found.isHeld == isHeld)
        #expect((found.text == text) == isHeld, "\(found.text)")
    }

    @Test("trailing zeros and the time zone do not affect whether a date represents an instant exactly")
    func spellings() throws {
        #expect(try written("2038-05-27T00:51:49.500000000+14:00") == ("2038-05-26T10:51:49.5Z", true))
        #expect(try written("2038-05-27 00:51:49,250") == ("2038-05-27T00:51:49.25Z", true))
    }

    @Test(
        "the fast exactness test agrees with writing the date and comparing the texts",
        arguments: Seeds.first(3, of: 1...40))
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var held = 0
        let count = Seeds.count(2_000, all: 10_000)
        for _ in 0..<count {
            let reach = pow(10, Double.random(in: 0...13.4, using: &generator))
            let seconds = Int64(Double.random(in: -reach...reach, using: &generator))
            let digits = Int.random(in: 0...9, using: &generator)
            let unit = Int32(pow(10, Double(9 - digits)))
            let fraction = Int32.random(in: 0..<Int32(pow(10, Double(digits))), using: &generator) * unit
            let instant = ExactInstant(seconds: seconds, nanoseconds: fraction)
            var text: [UInt8] = []
            try DateText.append(instant.date, to: &text)
            let again = try DateText.instant(text.span)
            #expect(instant.isHeldByDate == (again == instant), "\(instant)")
            // A date represents an instant exactly if the instant was written from a date.
            #expect(again.isHeldByDate && again.date == instant.date)
            if instant.isHeldByDate { held += 1 }
        }
        #expect(held > count / 4 && held < count)
    }
}
