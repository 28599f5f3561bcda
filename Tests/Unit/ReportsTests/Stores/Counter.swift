import Synchronization

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    /// Increments the count.
    ///
    /// - Returns: The new count.
    func countUp() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
