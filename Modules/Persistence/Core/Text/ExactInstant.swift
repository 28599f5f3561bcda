package import Foundation

/// An instant in the resolution of texts, to the nanosecond, even if no `Date` represents it exactly.
package struct ExactInstant: Equatable {
    /// Whole seconds since 2001-01-01 00:00:00 UTC, in the years that a text can contain.
    package let seconds: Int64
    /// The nanoseconds to add, from 0 to 999,999,999.
    package let nanoseconds: Int32

    @inlinable
    package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The date that is nearest to the instant.
    package var date: Date { Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds) }

    /// A Boolean value that indicates whether the text of the nearest date represents exactly this instant.
    @inlinable package var isHeldByDate: Bool {
        // Whole seconds of all years need far fewer than 53 bits. So do milliseconds within 139,000 years of 2001. This
        // covers nearly all dates.
        nanoseconds == 0 || (nanoseconds % 1_000_000 == 0 && seconds.magnitude < 1 << 42) || isFractionHeld
    }

    /// A Boolean value that indicates whether the text of the nearest date contains the instant's fraction.
    ///
    /// It is `true` in two cases: adjacent dates are closer than instants with this count of digits, or this instant is
    /// the shortest of those with the same nearest date.
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
