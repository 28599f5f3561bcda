import StrataCore

/// Divides the identifiers of an entity into ranges of about as many rows each, without counting them before.
///
/// The width follows what was found: gaps are passed over in ever wider steps, crowds in ever narrower ones.
final class IdentifierRanges: Sendable {
    /// The rows a range should have: enough to be worth a statement, few enough to be held in memory.
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

    /// The next range and its number; nil at the end.
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

    /// Learns how many rows a range had.
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
