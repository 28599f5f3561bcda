import StrataCore
import StrataStoreKit

/// A count of the commits that may have changed an observed value, for which observers wait.
final class ChangeSignal: Sendable {
    private struct State {
        var generation = 0
        var isOver = false
        var waiterCount = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    let region: ObservedRegion
    private let state = Guarded(State())

    init(_ region: ObservedRegion) { self.region = region }

    /// The count of commits that may have changed the value since the signal was created.
    var generation: Int { state.withLock(\.generation) }
    /// A Boolean value that indicates whether the container was closed.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Counts a commit and resumes the waiting observers; the method does not wait for them.
    func touch() { resume { $0.generation += 1 } }

    /// Ends all observations.
    func finish() { resume { $0.isOver = true } }

    private func resume(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until a commit after a generation, the end of all observations, or the cancellation of the task.
    func wait(after generation: Int) async {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    // The task may have been canceled before the continuation is known to the handler.
                    guard state.generation == generation, !state.isOver, !Task.isCancelled else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
