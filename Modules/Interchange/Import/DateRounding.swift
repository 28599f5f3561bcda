import Foundation
import StrataCore

/// The handling of dates with more digits than a `Date` holds, and the count of rounded dates.
///
/// The object is used by the reading thread.
final class DateRounding {
    private let isAllowed: Bool
    private var count = 0

    /// The count of dates that were rounded.
    var roundedCount: Int { isAllowed ? count : 0 }

    init(isAllowed: Bool) {
        self.isAllowed = isAllowed
    }

    /// Returns the date of an instant: the exact date, or the nearest one if rounding is allowed.
    ///
    /// - Throws: ``InvalidText`` with the rounded date.
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
            "more fractional digits than a date can store; round the date to \(String(decoding: text, as: UTF8.self)), "
                + "or round all dates (--round-dates)")
    }
}
