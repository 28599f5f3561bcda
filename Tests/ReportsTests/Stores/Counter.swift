import Synchronization

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    /// One more.
    ///
    /// - Returns: How many there are now.
    func countUp() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
