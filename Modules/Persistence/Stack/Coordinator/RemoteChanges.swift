import StrataCore
import StrataStoreKit

/// The sequence of changes that other containers make in a container's store, for one subscriber.
///
/// Call ``PersistentContainer/remoteChanges()`` to subscribe. All changes that occur while the subscriber processes an
/// element become one next element. A slow subscriber therefore never has to do more than read every entity again. The
/// sequence ends when the container is closed or the subscriber's task is canceled.
public struct RemoteChanges: AsyncSequence, Sendable {
    /// The iterator of the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let inbox: RemoteChangeInbox
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Waits for the next change and returns it, or returns `nil` at the end of the sequence.
        ///
        /// The method returns `nil` if the container is closed or the task is canceled. It does not block a thread
        /// while it waits.
        public mutating func next() async -> RemoteChange? {
            while await signals.next() != nil {
                if let change = inbox.take() { return change }
            }
            return nil
        }
    }

    fileprivate let inbox: RemoteChangeInbox
    fileprivate let signals: AsyncStream<Void>

    /// Returns an iterator; if a sequence has several iterators, each element is returned by only one of them.
    public func makeAsyncIterator() -> Iterator {
        Iterator(inbox: inbox, signals: signals.makeAsyncIterator())
    }
}

/// The changed entities that a subscriber has not received yet.
private final class RemoteChangeInbox: Sendable {
    private let entities = Guarded<Set<String>>([])
    private let signal: AsyncStream<Void>.Continuation

    init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }

    func add(_ names: Set<String>) {
        entities.withLock { $0.formUnion(names) }
        signal.yield()
    }

    func take() -> RemoteChange? {
        entities.withLock { entities in
            guard !entities.isEmpty else { return nil }
            defer { entities = [] }
            return RemoteChange(entities: entities)
        }
    }

    func finish() { signal.finish() }
}

/// The subscribers to the remote changes of a container.
final class RemoteChangeSubscribers: Sendable {
    private struct State {
        var isOver = false
        var subscriberCount = 0
        var inboxes: [Int: RemoteChangeInbox] = [:]
    }

    private let state = Guarded(State())

    deinit { finish() }

    /// Returns a new subscription to all changes from now on.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the container is closed.
    func subscribe() throws -> RemoteChanges {
        // The inbox contains the pending changes, so one pending signal is sufficient.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = RemoteChangeInbox(signal)
        let number = try state.withLock { state in
            if state.isOver { throw PersistenceError.storeClosed }
            state.subscriberCount += 1
            state.inboxes[state.subscriberCount] = inbox
            return state.subscriberCount
        }
        signal.onTermination = { [weak self] _ in self?.forget(number) }
        return RemoteChanges(inbox: inbox, signals: signals)
    }

    private func forget(_ number: Int) {
        _ = state.withLock { $0.inboxes.removeValue(forKey: number) }
    }

    /// Notifies every subscriber of changed entities, without waiting for the subscribers.
    func announce(_ entities: Set<String>) {
        guard !entities.isEmpty else { return }
        for inbox in state.withLock({ Array($0.inboxes.values) }) { inbox.add(entities) }
    }

    /// Ends all subscriptions; each subscriber first receives the changes that were announced before.
    func finish() {
        let inboxes = state.withLock { state in
            state.isOver = true
            defer { state.inboxes = [:] }
            return Array(state.inboxes.values)
        }
        for inbox in inboxes { inbox.finish() }
    }
}
