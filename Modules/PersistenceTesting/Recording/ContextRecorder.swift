public import StrataPersistence

/// Writes down what a real context does: for tests that ask whether something was saved, without a subclass or a spy.
///
/// ```swift
/// let recorder = ContextRecorder(container.backgroundContext)
/// try await repository.create(hex: navy, name: "Navy")
/// #expect(recorder.saves.count == 1)
/// ```
///
/// Works of repositories over the context are written down too. One recorder a context: a second one takes the first one's place. May be asked from any
/// thread.
public final class ContextRecorder: Sendable {
    private let recorded = Guarded<[ContextEvent]>([])

    /// Records what a context does from now on.
    ///
    /// Waits for the context, so not to be called from inside another context's closure.
    public init(_ context: ManagedObjectContext) {
        context.record { [recorded = Weak(self)] event in recorded.recorder?.add(event) }
    }

    /// What the context did, in order.
    public var events: [ContextEvent] { recorded.withLock { $0 } }

    /// What each save that succeeded wrote, in order; empty changes for a save that had nothing to write.
    public var saves: [SavedChanges] {
        events.compactMap { if case .saved(let changes) = $0 { changes } else { nil } }
    }

    /// Forgets what was recorded so far.
    public func clear() { recorded.withLock { $0 = [] } }

    private func add(_ event: ContextEvent) { recorded.withLock { $0.append(event) } }

    /// The context must not keep the recorder, nor the recorder the context.
    private struct Weak: Sendable {
        weak let recorder: ContextRecorder?

        init(_ recorder: ContextRecorder) { self.recorder = recorder }
    }
}
