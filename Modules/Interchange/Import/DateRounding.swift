import Foundation
import StrataCore

/// What becomes of dates with more digits than a `Date` holds, and how many were rounded.
///
/// Used by the thread that reads.
final class DateRounding {
    private let isAllowed: Bool
    private var count = 0

    /// How many dates were rounded.
    var roundedCount: Int { isAllowed ? count : 0 }

    init(isAllowed: Bool) {
        self.isAllowed = isAllowed
    }

    /// The date of an instant: exactly that, or the nearest one where that is allowed.
    ///
    /// - Throws: ``InvalidText`` with what would become of the date.
    @inline(__always)
    func date(_ instant: ExactInstant) throws(InvalidText) -> Date {
        if !instant.isHeldByDate { try round(instant) }
        return instant.date
    }

    @inline(never)
    private func round(_ instant: ExactInstant) throws(InvalidText) {
        count += 1
        guard !isAllowed else { return }
        var text: [UInt8] = []
        try DateText.append(instant.date, to: &text)
        throw InvalidText(
            "more digits of a second than a date holds, which would become \(String(decoding: text, as: UTF8.self)); "
                + "shorten it, or have dates rounded (--round-dates)")
    }
}
