import StrataCore
import StrataStoreKit

/// The merge notices for a context that the context has not processed yet.
///
/// A saving thread adds notices at any time. The context takes them at the beginning of its next closure, on its own
/// queue. All notices between two closures are combined, so that the notices of a context that is not used need little
/// memory.
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

    /// A Boolean value that indicates whether the context accepts merge notices.
    var isOpen: Bool {
        get { state.withLock { $0.isOpen } }
        set { state.withLock { $0.isOpen = newValue } }
    }

    /// Adds a notice, and returns `true` if the caller must schedule the merge on the context's queue.
    ///
    /// The merge is scheduled only once for any number of notices.
    func add(_ notice: MergeNotice) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            if state.notice == nil { state.notice = notice } else { state.notice?.add(notice) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Removes and returns the combined notice, or returns `nil` if there is none.
    func take() -> MergeNotice? {
        state.withLock { state in
            state.isScheduled = false
            return state.notice.take()
        }
    }
}
