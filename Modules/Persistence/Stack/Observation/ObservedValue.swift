import StrataCore
import StrataStoreKit

/// A value that is read from the store, at most once for each commit that may have changed it, for all its observers.
final class ObservedValue<Value: Sendable>: Observed {
    let signal: ChangeSignal
    private let context: ManagedObjectContext
    private let read: @Sendable (any RecordTransaction) throws -> Value
    /// The last value that was read, and the generation before the read.
    private let last = Guarded<(generation: Int, value: Value)?>(nil)

    init(
        _ signal: ChangeSignal, _ coordinator: PersistentStoreCoordinator,
        _ read: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) {
        self.signal = signal
        self.read = read
        context = ManagedObjectContext(
            name: "observation", executor: QueueExecutor(name: "observation"),
            policy: SavePolicy(.error, upserts: false), automaticallyMerges: false, coordinator: coordinator)
    }

    /// Returns the committed value, which is at least as new as a generation.
    func value(since generation: Int) async throws -> (generation: Int, value: Value) {
        try await context.transaction(mergePolicy: nil) { unit in
            if let known = last.withLock({ $0 }), known.generation >= generation { return known }
            let found = (generation: signal.generation, value: try read(unit))
            last.withLock { $0 = found }
            return found
        }
    }
}
