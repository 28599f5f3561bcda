import StrataCore
import StrataStoreKit

/// A queue for each object, in which updates of the object wait for each other without blocking a thread.
///
/// The updates run one after another in the order of arrival. Optimistic locking alone is correct but not fair: if
/// several tasks repeatedly increment one counter, one of them may always be in conflict.
final class RowLockQueue: Sendable {
    private struct Key: Hashable {
        let entity: String
        let id: Int64
    }

    /// The callers that wait for their turn, for each object that is being updated.
    private let waiting = Guarded<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until no earlier caller is updating an object, and then runs `body`.
    ///
    /// - Parameters:
    ///   - entity: The name of the object's entity.
    ///   - id: The identifier of the object.
    ///   - isolation: The actor of the caller, on which `body` runs.
    ///   - body: The update. It must not wait for another update of the same object.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, after which the next caller continues. The wait itself is not ended by a
    ///   cancellation.
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

    /// Resumes the next caller that waits to update an object, if there is one.
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
