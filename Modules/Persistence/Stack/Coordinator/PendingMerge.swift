import StrataCore

/// The merge notices that wait for a context's queue.
final class PendingMerge: Sendable {
    private struct State {
        var isOpen: Bool
        var notice: MergeNotice?
        var isScheduled = false
    }

    private let state: Guarded<State>

    init(isOpen: Bool) {
        state = Guarded(State(isOpen: isOpen))
    }

    /// A Boolean value that indicates whether notices are accepted.
    var isOpen: Bool {
        get { state.withLock { $0.isOpen } }
        set { state.withLock { $0.isOpen = newValue } }
    }

    /// Adds a notice and returns a Boolean value that indicates whether the caller has to schedule the context's queue.
    ///
    /// The queue is scheduled only once, independent of the number of following notices.
    func add(_ notice: MergeNotice) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            if state.notice == nil { state.notice = notice } else { state.notice?.add(notice) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Returns the pending notice and removes it.
    func take() -> MergeNotice? {
        state.withLock { state in
            state.isScheduled = false
            return state.notice.take()
        }
    }
}
