public import StrataPersistence
import StrataStoreKit

/// A recorder of the events of a real context.
///
/// It is for tests that check whether something was saved, without a subclass or a spy.
///
/// ```swift
/// let recorder = ContextRecorder(container.backgroundContext)
/// try await repository.create(hex: navy, name: "Navy")
/// #expect(recorder.saves.count == 1)
/// ```
///
/// The units of work of repositories over the context are recorded too. A context has at most one recorder: a second
/// one replaces the first. Any thread may read the recorder.
public final class ContextRecorder: Sendable {
    private let recorded = Guarded<[ContextEvent]>([])

    /// Creates a recorder that records all later events of a context.
    ///
    /// The initializer waits for the context, so do not call it inside another context's closure.
    public init(_ context: ManagedObjectContext) {
        context.record { [recorded = Weak(self)] event in recorded.recorder?.add(event) }
    }

    /// The recorded events of the context, in order.
    public var events: [ContextEvent] { recorded.withLock { $0 } }

    /// The changes of each successful save, in order; if a save had nothing to write, its changes are empty.
    public var saves: [SavedChanges] {
        events.compactMap { if case .saved(let changes) = $0 { changes } else { nil } }
    }

    /// Deletes the events that were recorded so far.
    public func clear() { recorded.withLock { $0 = [] } }

    private func add(_ event: ContextEvent) { recorded.withLock { $0.append(event) } }

    /// A weak reference, which prevents a reference cycle between the context and the recorder.
    private struct Weak: Sendable {
        weak let recorder: ContextRecorder?

        init(_ recorder: ContextRecorder) { self.recorder = recorder }
    }
}
