import Foundation
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Exact dates")
struct DateExactTests {
    /// Returns the double nearest to an instant.
    ///
    /// The C library's decimal conversion rounds once, and is the reference here.
    private static func reference(_ seconds: Int64, _ nanoseconds: Int32) throws -> Double {
        let total = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
        let (whole, fraction) = total.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = String(UInt64(fraction))
        let text = "\(UInt64(whole)).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
        let value = try #require(Double(text))
        return total < 0 ? -value : value
    }

    @Test(
        "a date is the double nearest to the exact instant, however distant the instant is",
        arguments: Seeds.spread(20, of: 0..<62))
    func nearest(bits: Int) throws {
        var generator = SeededGenerator(seed: UInt64(bits))
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -(1 << bits)...(1 << bits), using: &generator)
            let nanoseconds = Int32.random(in: -999_999_999...999_999_999, using: &generator)
            let date = Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds)
            let expected = try Self.reference(seconds, nanoseconds)
            try #require(date.timeIntervalSinceReferenceDate == expected, "\(seconds) s, \(nanoseconds) ns")
        }
    }

    @Test(
        "creating a date from the extreme seconds and nanoseconds does not trap",
        arguments: [
            (Int64.min, Int32.min), (.min, 0), (.min, .max), (.max, .max), (.max, 0), (.max, .min), (0, .min),
            (0, .max),
        ])
    func ends(seconds: Int64, nanoseconds: Int32) throws {
        let date = Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds)
        #expect(date.timeIntervalSinceReferenceDate == (try Self.reference(seconds, nanoseconds)))
    }

    @Test("adding the nanoseconds as a double would sometimes result in another date")
    func roundedTwice() {
        var generator = SeededGenerator(seed: 7)
        var different = 0
        for _ in 0..<10_000 {
            let seconds = Int64.random(in: 0...100, using: &generator)
            let nanoseconds = Int32.random(in: 1...999_999_999, using: &generator)
            let exact = Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds)
            if exact.timeIntervalSinceReferenceDate != Double(seconds) + Double(nanoseconds) / 1e9 { different += 1 }
        }
        #expect(different > 0)
    }

    @Test("a date near the reference date is rounded to the nearest nanosecond, and stays there when rounded again")
    func nanoseconds() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let interval = Double.random(in: -8_388_608...8_388_608, using: &generator)
            let scaled = interval * pow(10, -Double.random(in: 0...12, using: &generator))
            let date = Date(timeIntervalSinceReferenceDate: scaled)
            let rounded = date.roundedToNanosecond()
            #expect(abs(rounded.timeIntervalSinceReferenceDate - scaled) <= 0.5000001e-9 + scaled.ulp)
            #expect(rounded.roundedToNanosecond() == rounded)
        }
    }

    @Test(
        "rounding to the nanosecond leaves whole nanoseconds, distant dates and infinite dates unchanged",
        arguments: [0, 1e-9, -1e-9, 0.5, 8_388_608.000_000_001, -8_388_608.3, 1e15, .infinity, -.infinity])
    func unchanged(interval: Double) {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        #expect(date.roundedToNanosecond().timeIntervalSinceReferenceDate == interval)
    }

    @Test("rounding to the nanosecond leaves a date that is not a number unchanged")
    func notANumber() {
        #expect(Date(timeIntervalSinceReferenceDate: .nan).roundedToNanosecond().timeIntervalSinceReferenceDate.isNaN)
    }

    @Test(
        "a fraction of a nanosecond is rounded to the nearest nanosecond",
        arguments: [
            (0.4e-9, 0), (0.6e-9, 1e-9), (-0.6e-9, -1e-9), (1.000_000_000_4, 1), (-1.000_000_000_6, -1.000_000_001),
        ])
    func rounding(interval: Double, expected: Double) {
        let date = Date(timeIntervalSinceReferenceDate: interval).roundedToNanosecond()
        #expect(date.timeIntervalSinceReferenceDate == expected)
    }
}
