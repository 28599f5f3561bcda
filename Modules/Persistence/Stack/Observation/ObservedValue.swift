import StrataCore
import StrataStoreKit

/// A value that is read at most once for each change that may concern it, for all its observers.
final class ObservedValue<Value: Sendable>: Observed {
    /// A value that was read, and the generation before the read.
    typealias Found = (generation: Int, value: Value)

    let signal: ChangeSignal
    private let last = Guarded<Found?>(nil)
    private let find: @Sendable (ObservedValue<Value>, Int) async throws -> Found

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - signal: The signal of changes.
    ///   - onQueue: A closure that runs a read on the queue of its source; reads of one value never run at the same
    ///     time.
    ///   - read: A closure that reads the value from its source.
    init<Source>(
        _ signal: ChangeSignal,
        onQueue: @escaping @Sendable (_ body: @Sendable (Source) throws -> Found) async throws -> Found,
        _ read: @escaping @Sendable (Source) throws -> Value
    ) {
        self.signal = signal
        find = { observed, generation in
            try await onQueue { source in
                if let known = observed.last.withLock({ $0 }), known.generation >= generation { return known }
                let found = (generation: observed.signal.generation, value: try read(source))
                observed.last.withLock { $0 = found }
                return found
            }
        }
    }

    /// Creates a value that is read from the committed rows of a store.
    convenience init(
        _ signal: ChangeSignal, _ coordinator: PersistentStoreCoordinator,
        _ read: @escaping @Sendable (any RecordTransaction) throws -> Value
    ) {
        let context = ManagedObjectContext(
            name: "observation", executor: QueueExecutor(name: "observation"),
            policy: SavePolicy(.error, upserts: false), automaticallyMerges: false, coordinator: coordinator)
        self.init(signal, onQueue: { try await context.transaction(mergePolicy: nil, $0) }, read)
    }

    /// Returns the value, which is at least as new as a generation.
    func value(since generation: Int) async throws -> Found { try await find(self, generation) }
}
