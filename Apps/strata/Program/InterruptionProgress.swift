import Synchronization

/// The state that a command and the signal handler share: whether a signal came, and whether the command has finished.
///
/// If a signal comes while the command finishes, the first of the two to change the state determines the result.
final class InterruptionProgress: Sendable {
    private enum State {
        static let running = 0
        static let requested = 1
        /// The command has noticed the signal and ends in an orderly way.
        static let noticed = 2
        static let finished = 3
    }

    private let state = Atomic(State.running)

    /// Records a signal; has no effect on a finished command.
    func request() {
        exchange(State.running, for: State.requested)
    }

    /// Returns a Boolean value that indicates whether a signal came; the command must then end.
    func notice() -> Bool {
        exchange(State.requested, for: State.noticed)
        return state.load(ordering: .acquiring) == State.noticed
    }

    /// A Boolean value that indicates whether a signal came and the command has not noticed it yet.
    var isUnnoticed: Bool { state.load(ordering: .acquiring) == State.requested }

    /// Marks the command as finished; later signals have no effect.
    ///
    /// - Throws: `CancellationError` if a signal came before.
    func finish() throws {
        exchange(State.running, for: State.finished)
        if notice() { throw CancellationError() }
    }

    private func exchange(_ old: Int, for new: Int) {
        _ = state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }
}
