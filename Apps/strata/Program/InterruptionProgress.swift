import Synchronization

/// What has become of a signal: who asks first, the command's end or the signal, decides.
final class InterruptionProgress: Sendable {
    private enum State {
        static let running = 0
        static let requested = 1
        /// The command knows, and ends in order.
        static let noticed = 2
        static let finished = 3
    }

    private let state = Atomic(State.running)

    /// A signal came; without effect on what is finished.
    func request() {
        exchange(State.running, for: State.requested)
    }

    /// Whether a signal came; the command ends then by itself.
    func notice() -> Bool {
        exchange(State.requested, for: State.noticed)
        return state.load(ordering: .acquiring) == State.noticed
    }

    /// Whether a signal came and the command has not looked since.
    var isUnnoticed: Bool { state.load(ordering: .acquiring) == State.requested }

    /// From now on signals are too late.
    ///
    /// - Throws: `CancellationError` when one came before.
    func finish() throws {
        exchange(State.running, for: State.finished)
        if notice() { throw CancellationError() }
    }

    private func exchange(_ old: Int, for new: Int) {
        _ = state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
    }
}
