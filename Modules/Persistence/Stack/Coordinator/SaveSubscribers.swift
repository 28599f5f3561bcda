import StrataCore

/// Who is told of saves: a context.
protocol SaveListener: AnyObject, Sendable {
    /// Hears of a save into the store or the parent; called on the saving thread, and must not wait.
    ///
    /// - Parameters:
    ///   - notice: What was saved.
    ///   - sender: Where the saving context's own notices wait, by which it knows its own save.
    func receive(_ notice: MergeNotice, from sender: PendingMerge?)
}

/// The contexts that are told of what is saved in one place: the store, or a parent context.
final class SaveSubscribers: Sendable {
    private struct Listener {
        weak var subscriber: (any SaveListener)?
    }

    private let listeners = Guarded<[Listener]>([])

    func add(_ subscriber: any SaveListener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.subscriber == nil }
            listeners.append(Listener(subscriber: subscriber))
        }
    }

    /// Tells every context but the one that saved.
    ///
    /// Nobody is waited for.
    func announce(_ notice: MergeNotice, from sender: PendingMerge?) {
        // New rows are in nobody's hands yet.
        if notice.isEmpty { return }
        let subscribers = listeners.withLock { $0.compactMap(\.subscriber) }
        for subscriber in subscribers { subscriber.receive(notice, from: sender) }
    }
}
