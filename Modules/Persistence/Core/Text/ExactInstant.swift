package import Foundation

/// An instant as a text has it, to the nanosecond, whether a `Date` holds it or not.
package struct ExactInstant: Equatable {
    /// Whole seconds since 2001-01-01 00:00:00 UTC, in the years that a text can hold.
    package let seconds: Int64
    /// What is to be added: 0 to 999,999,999.
    package let nanoseconds: Int32

    @inlinable
    package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The date nearest to the instant.
    package var date: Date { Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds) }

    /// Whether the nearest date, when it is written, is this instant again.
    @inlinable package var isHeldByDate: Bool {
        // Whole seconds of all years have far fewer than 53 bits, and thousandths of them within 139,000 years of 2001 too: nearly all dates.
        nanoseconds == 0 || (nanoseconds % 1_000_000 == 0 && seconds.magnitude < 1 << 42) || isFractionHeld
    }

    /// Dates lie closer to each other than instants of so few digits, or this one happens to be the shortest of those that have its date.
    @inline(never)
    @usableFromInline
    var isFractionHeld: Bool {
        var unit: Int32 = nanoseconds % 1_000_000 == 0 ? 1_000_000 : nanoseconds % 1_000 == 0 ? 1_000 : 1
        while nanoseconds % (unit * 10) == 0 { unit *= 10 }
        let date = date
        if Double(unit) * 1e-9 > date.timeIntervalSinceReferenceDate.ulp { return true }
        return ShortestInstant(of: date).exact == self
    }
}
