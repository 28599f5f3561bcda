import StrataCore
import StrataStoreKit

/// A context that receives notices of saves by other contexts.
protocol SaveListener: AnyObject, Sendable {
    /// Receives a notice of a save to the store or the parent context; runs on the saving thread and must not block.
    ///
    /// - Parameters:
    ///   - notice: The saved changes.
    ///   - sender: The pending merge of the saving context, with which a context recognizes its own save; `nil` if no
    ///     context saved.
    func receive(_ notice: MergeNotice, from sender: PendingMerge?)
}

/// The contexts with one parent, the store or a context, which are notified of saves to this parent.
///
/// The list references the contexts weakly, so that it retains none of them. Any thread may add a context or announce a
/// save.
final class SaveSubscribers: Sendable {
    private struct Listener {
        weak var subscriber: (any SaveListener)?
    }

    private let listeners = Guarded<[Listener]>([])

    /// Adds a context to the list, and removes contexts that were released.
    func add(_ subscriber: any SaveListener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.subscriber == nil }
            listeners.append(Listener(subscriber: subscriber))
        }
    }

    /// Notifies every context except the one that saved of a save.
    ///
    /// The method does not wait until the contexts have merged the notice.
    func announce(_ notice: MergeNotice, from sender: PendingMerge?) {
        // No other context can have new rows yet, so a notice without changed or deleted rows is omitted.
        if notice.isEmpty { return }
        let subscribers = listeners.withLock { $0.compactMap(\.subscriber) }
        for subscriber in subscribers { subscriber.receive(notice, from: sender) }
    }
}
