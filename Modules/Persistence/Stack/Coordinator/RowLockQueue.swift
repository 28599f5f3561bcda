import StrataCore

/// A queue for each object that runs its updates one after another in the order of arrival, without blocking a thread.
///
/// Optimistic locking alone is correct but not fair. If several tasks increment one counter as fast as they can, one
/// task may lose every race.
final class RowLockQueue: Sendable {
    private struct Key: Hashable {
        let entity: String
        let id: Int64
    }

    /// The waiting callers for each object that is being updated.
    private let waiting = Guarded<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` when it is the caller's turn to update an object.
    func whenFree<Result: Sendable>(
        _ entity: String, id: Int64, isolation: isolated (any Actor)? = #isolation, _ body: () throws -> Result
    ) async rethrows -> Result {
        let key = Key(entity: entity, id: id)
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(continuation)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { pass(key) }
        return try body()
    }

    /// Resumes the next caller, if there is one.
    private func pass(_ key: Key) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let queue = waiting[key], !queue.isEmpty else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }
}
