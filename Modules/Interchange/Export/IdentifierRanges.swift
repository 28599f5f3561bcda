import StrataCore
import StrataStoreKit

/// A division of the identifiers of an entity into consecutive ranges with similar counts of rows.
///
/// The width of the next range depends on the counts of rows in earlier ranges: the width grows in gaps, and shrinks
/// where many identifiers exist. Rows need not be counted in advance.
///
/// Threads share one object. The ranges are in ascending order and cover all identifiers without gaps between them.
final class IdentifierRanges: Sendable {
    /// The intended count of rows in a range.
    ///
    /// It is large enough that the cost of a statement is negligible, and small enough that the rows fit in memory.
    static let targetCount = 4096

    private struct State: Sendable {
        var next: Int64?
        var width = Int64(targetCount)
        var part = 0
    }

    private let last: Int64
    private let state: Guarded<State>

    init(_ range: ClosedRange<Int64>) {
        last = range.upperBound
        state = Guarded(State(next: range.lowerBound))
    }

    /// Returns the next range and its number; `nil` after the last range.
    ///
    /// Any thread may call it. The numbers of the ranges begin with 0.
    func take() -> (part: Int, range: ClosedRange<Int64>)? {
        state.withLock { [last] state in
            guard let first = state.next else { return nil }
            let (end, overflow) = first.addingReportingOverflow(state.width - 1)
            let upper = overflow ? last : min(end, last)
            state.next = upper == last ? nil : upper + 1
            defer { state.part += 1 }
            return (state.part, first...upper)
        }
    }

    /// Adjusts the width to the count of rows in a range.
    func note(_ count: Int) {
        state.withLock { state in
            if count < Self.targetCount / 2 {
                state.width = min(state.width, Int64.max / 4) * 2
            } else if count > Self.targetCount * 2 {
                state.width = max(1, state.width / 2)
            }
        }
    }
}
