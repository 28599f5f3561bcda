import StrataCore

/// What others write in a container's store, as it comes: for one listener, who asks for it by ``PersistentContainer/remoteChanges()``.
///
/// What comes while the listener is busy is one element, so that whoever is slow never has more to do than read every entity again. It ends when the
/// container is closed, and for a task that is cancelled.
public struct RemoteChanges: AsyncSequence, Sendable {
    /// What gives the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let inbox: RemoteChangeInbox
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Waits for what others write; `nil` at the end.
        public mutating func next() async -> RemoteChange? {
            while await signals.next() != nil {
                if let change = inbox.take() { return change }
            }
            return nil
        }
    }

    fileprivate let inbox: RemoteChangeInbox
    fileprivate let signals: AsyncStream<Void>

    /// An iterator; only one of a sequence gets an element.
    public func makeAsyncIterator() -> Iterator {
        Iterator(inbox: inbox, signals: signals.makeAsyncIterator())
    }
}

/// Where entities wait for a listener.
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

/// The listeners of a container.
final class RemoteChangeSubscribers: Sendable {
    private struct State {
        var isOver = false
        var subscriberCount = 0
        var inboxes: [Int: RemoteChangeInbox] = [:]
    }

    private let state = Guarded(State())

    deinit { finish() }

    /// A new listener, who is told of what comes from now on.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` after the end.
    func subscribe() throws -> RemoteChanges {
        // What is to be read is in the inbox: one signal is as good as many.
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

    /// Tells every listener; nobody is waited for.
    func tell(_ entities: Set<String>) {
        guard !entities.isEmpty else { return }
        for inbox in state.withLock({ Array($0.inboxes.values) }) { inbox.add(entities) }
    }

    /// Ends what is told, after what was told already.
    func finish() {
        let inboxes = state.withLock { state in
            state.isOver = true
            defer { state.inboxes = [:] }
            return Array(state.inboxes.values)
        }
        for inbox in inboxes { inbox.finish() }
    }
}
