import StrataCore

/// Lets the updates of one object go one after the other, first come first served, without blocking a thread.
///
/// Optimistic locking alone is right but not fair: of several tasks that count one counter up as fast as they can, one may lose every race.
final class RowLockQueue: Sendable {
    private struct Key: Hashable {
        let entity: String
        let id: Int64
    }

    /// Who waits for each object that somebody updates now.
    private let waiting = Guarded<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` when it is this caller's turn with an object.
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

    /// Gives the turn to the next, if there is one.
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
