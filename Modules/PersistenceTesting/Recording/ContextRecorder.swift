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
///
/// A recorder observes, and changes nothing. The context uses its real store, validates, and detects conflicts. A test
/// therefore checks the effect of code, such as one save with two inserted rows, instead of the calls that it makes.
///
/// Events are recorded in the order in which they occur on the context's queue. Events of other contexts of the same
/// container are not recorded, also if they change the same rows. Each recorded event stays in memory until ``clear()``
/// is called.
///
/// The context does not retain the recorder. If a test releases its recorder, later events are discarded.
///
/// ## Topics
///
/// ### Recording
///
/// - ``init(_:)``
/// - ``clear()``
///
/// ### Reading the events
///
/// - ``events``
/// - ``saves``
public final class ContextRecorder: Sendable {
    private let recorded = Guarded<[ContextEvent]>([])

    /// Creates a recorder that records all later events of a context.
    ///
    /// The initializer waits for the context, so do not call it inside another context's closure.
    ///
    /// Events before the initializer returns are not recorded. An earlier recorder of the context keeps the events that
    /// it has recorded, and receives no more of them.
    ///
    /// - Parameter context: The context, for example `container.backgroundContext` or the main context.
    public init(_ context: ManagedObjectContext) {
        context.record { [recorded = Weak(self)] event in recorded.recorder?.add(event) }
    }

    /// The recorded events of the context, in order.
    ///
    /// A copy is returned, so that a test can compare it while the context continues. Compare complete events to check
    /// the order of operations, including failed saves and rollbacks.
    public var events: [ContextEvent] { recorded.withLock { $0 } }

    /// The changes of each successful save, in order; if a save had nothing to write, its changes are empty.
    ///
    /// Failed saves are not included; they are `saveFailed` events in ``events``.
    public var saves: [SavedChanges] {
        events.compactMap { if case .saved(let changes) = $0 { changes } else { nil } }
    }

    /// Deletes the events that were recorded so far.
    ///
    /// Call this method after a test has prepared its rows, so that only the tested code is recorded.
    public func clear() { recorded.withLock { $0 = [] } }

    private func add(_ event: ContextEvent) { recorded.withLock { $0.append(event) } }

    /// A weak reference, which prevents a reference cycle between the context and the recorder.
    ///
    /// It is sendable, because the context calls its sink on its own queue.
    private struct Weak: Sendable {
        weak let recorder: ContextRecorder?

        init(_ recorder: ContextRecorder) { self.recorder = recorder }
    }
}
