/// The contexts that are told of what is saved in one place: the store, or a parent context.
final class SaveSubscribers: Sendable {
    private struct Listener {
        weak var context: ManagedObjectContext?
    }

    private let listeners = Guarded<[Listener]>([])

    func add(_ context: ManagedObjectContext) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.context == nil }
            listeners.append(Listener(context: context))
        }
    }

    /// Tells every context but the one that saved.
    ///
    /// Nobody is waited for.
    func announce(_ notice: MergeNotice, from sender: PendingMerge?) {
        let contexts = listeners.withLock { $0.compactMap(\.context) }
        for context in contexts { context.receive(notice, from: sender) }
    }
}
