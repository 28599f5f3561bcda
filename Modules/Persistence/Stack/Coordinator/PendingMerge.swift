import StrataCore

/// Where a context's notices wait for its queue.
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

    /// Whether notices are taken at all.
    var isOpen: Bool {
        get { state.withLock { $0.isOpen } }
        set { state.withLock { $0.isOpen = newValue } }
    }

    /// Adds a notice; true when the context's queue has to be told, which it is only once however many follow.
    func add(_ notice: MergeNotice) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            if state.notice == nil { state.notice = notice } else { state.notice?.add(notice) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Takes what has come in.
    func take() -> MergeNotice? {
        state.withLock { state in
            state.isScheduled = false
            return state.notice.take()
        }
    }
}
